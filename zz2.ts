import { systemClock } from '#protocol/clock.ts';
import { ehrDefects } from '#conformance/ehr-server/defects/index.ts';
import { allEhrChecks } from '#conformance/ehr-server/checks/index.ts';
import { defectRow } from '#conformance/ehr-server/self-test/self-test.ts';
const named = new Set(ehrDefects.map(d=>d.caughtBy));
console.log('unnamed', allEhrChecks.filter(c=>!named.has(c.id)).map(c=>c.id));
const ids=ehrDefects.map(d=>d.id); console.log('dups', ids.filter((x,i)=>ids.indexOf(x)!==i), ids.length);
const t=Date.now(); const only=process.argv[2]??'';
for (const d of ehrDefects) { if(!d.id.includes(only) && !d.caughtBy.includes(only)) continue; const s=Date.now(); const r=await defectRow(d,{clock:systemClock,seed:1,signal:new AbortController().signal}).catch(e=>({ok:false,found:String(e.stack)})); const ms=Date.now()-s; if(!r.ok||ms>1500) console.log(r.ok?'slow':'NOT', ms, d.id, d.caughtBy, r.found); }
console.log(Date.now()-t);
