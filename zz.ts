import { allEhrChecks } from '#conformance/ehr-server/checks/index.ts';
import { playEhr } from '#conformance/ehr-server/self-test/play.ts';
import { judge } from '#conformance/judge.ts';
const t=Date.now();
const only = process.argv[2]?.split(',');
const run = await playEhr({}, only ? {scenarios: only} : {});
const v=judge(run, only ? {checks: allEhrChecks.filter(c=>only.includes(c.id))}: {});
console.log(Date.now()-t, v.length, JSON.stringify(v.filter(x=>x.outcome!=='pass').map(x=>[x.check,x.outcome,x.finding]),null,1));
