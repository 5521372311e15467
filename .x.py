import json
from worker.presets import stored_runs
import time
for p in ["heyden-table-3.1","jansen-table-25","heyden-table-6.4","dominai-footnote-10","jansen-table-3"]:
    r=stored_runs.load(p); a=json.load(open(f"/tmp/out.{p}.json"))
    c=stored_runs.compared(r).to_json()
    print(p, r.is_fitting, r.outdated, c["counts"], a["cpu_s"])
    c=json.loads(json.dumps(c))
    for k in c:
        if c[k]!=a[k]: print("  differs", k, str(c[k])[:600], str(a[k])[:600])
    t=time.process_time(); print("  again", all(x==y for x,y in stored_runs.play_again(r)), time.process_time()-t)
