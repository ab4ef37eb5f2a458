machine draw box-1s4c2t
machine draw "pack:2 core:2 pu:2"
machine show oracle-smt8 | sed 's, /[^ ]*/data/, data/,'
