list machines
list kernels
list workloads
list experiments
list options
list operations
