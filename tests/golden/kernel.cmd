kernel show linux-6.1 | sed 's, /[^ ]*/data/, data/,'
kernel diff linux-6.1 linux-6.1.192 | sed 's, /[^ ]*/data/, data/,'
kernel diff linux-6.1 linux-6.1:smt=off,hz=1000
