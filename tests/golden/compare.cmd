compare -m box-1s4c2t -w mixed -k linux-6.1,linux-6.1:smt=off -p clients=2,8 -t 1 -n 3 --db a.db --format csv
compare -m box-1s4c2t -w mixed -k linux-6.1,linux-6.1:smt=off -p clients=2,8 -t 1 -n 3 --db a.db | sed "s,^by [0-9.]*% (.*);,by BAND;,"
compare -m box-1s4c2t -w mixed -k linux-6.1,linux-6.1:smt=off -p clients=2,8 -t 1 -n 3 --db a.db --metric requests_per_s | sed "s,^by [0-9.]*% (.*);,by BAND;,"
