-h
compare -h
run -h
machine -h
trace -h
