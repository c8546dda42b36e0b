import { openTown } from '/work/main/test/rehearsal/town.ts';
const n = Number(process.argv[2]);
const crash = process.argv[3] === 'crash';
const text = (tag: string) =>
  ['kind: gvc\nname: shop\nspec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}']
    .concat(
      Array.from(
        { length: n - 1 },
        (_, i) =>
          `kind: workload\ngvc: shop\nname: web-${i}\nspec: {type: standard, containers: [{name: main, image: "web:${tag}", ports: [{number: 8080}]}]}`,
      ),
    )
    .join('\n---\n');
const town = await openTown();
let t = performance.now();
const lap = (what: string) => {
  console.log(what, Math.round(performance.now() - t));
  t = performance.now();
};
const input = await town.planned(text('1'));
lap('plan');
const { rehearse } = await import('/work/main/src/rehearsal/rehearse.ts');
let r = await rehearse({ ...input, crash: false });
lap('rehearse creates ' + JSON.stringify(r.points) + JSON.stringify(r.problem));
if (crash) {
  r = await rehearse({ ...input, crash: true });
  lap('crash ' + JSON.stringify(r).slice(0, 300));
}
await town.apply(text('1'));
lap('apply live');
r = await town.rehearse(text('2'));
lap('rehearse patches incl plan ' + JSON.stringify(r.points) + JSON.stringify(r.problem));
const stage = (town as any).live;
const d = await stage.platform.dump();
lap('dump');
await stage.platform.load({ local: { ...d.local, entries: [] } });
lap('load');
const d2 = await stage.platform.dump();
lap('dump without entries');
await town.close();
