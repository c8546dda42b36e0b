import { parseArgs } from 'node:util';
import { setup as buildWhenOld } from '../build-once.ts';
import { type Finding, scenario } from './scenario.ts';
import { combination, isSwitch, rowsOf, type SwitchName, switchNames } from './server/switches.ts';

/**
 * `node test/foreign/run.ts` runs the scenario on every switch alone. `--switch A,B`: on these together; `--switch none`:
 * on the plain platform. `--random N --seed S`: on N combinations. One with a finding is run again with fewer switches,
 * and the fewest with it are printed. `--attack`: every switch and 1,000 combinations; with `--short` 20 of these.
 * `--minutes M`: ends after so long. `--lanes N`: so many lives at the same time. `--trace`: shows every command.
 */
const { values } = parseArgs({
  options: {
    switch: { type: 'string' },
    random: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    lanes: { type: 'string', default: '3' },
    trace: { type: 'boolean', default: false },
    attack: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

buildWhenOld();

const seed = Number(values.seed);
const end =
  values.minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + Number(values.minutes) * 60_000;

if (values.list) {
  for (const { name, section, use, does } of rowsOf(switchNames)) {
    const kind = typeof use === 'string' ? use : `limited (${use.join(', ')})`;
    process.stdout.write(`${name.padEnd(30)} ${section.padEnd(6)} ${kind.padEnd(12)} ${does}\n`);
  }
} else {
  let failed = 0;
  let count = 0;
  const waiting = toRun().values();
  // Most of the time is waiting: for changes that a platform shows late, and for a busy platform.
  const lane = async (): Promise<void> => {
    for (const [names, own] of waiting) {
      if (performance.now() > end) break;
      count += 1;
      const found = await one(names, own);
      failed += found;
    }
  };
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
  process.stdout.write(`${count - failed} of ${count} without a finding\n`);
  // A hanging command would keep the process running.
  process.exit(failed > 0 ? 1 : 0);
}

function toRun(): readonly (readonly [readonly SwitchName[], number])[] {
  if (values.switch !== undefined) {
    const names = values.switch.split(',').filter((name) => name !== 'none');
    const unknown = names.find((name) => !isSwitch(name));
    if (unknown !== undefined) throw new Error(`there is no switch ${unknown}; --list shows them`);
    return [[names.filter(isSwitch), seed]];
  }
  const alone = [[[], seed] as const, ...switchNames.map((name) => [[name], seed] as const)];
  if (values.attack) return values.short ? combinations(20) : [...alone, ...combinations(1000)];
  return values.random === undefined ? alone : combinations(Number(values.random));
}

function combinations(count: number): readonly (readonly [readonly SwitchName[], number])[] {
  return Array.from({ length: count }, (_, index) => [combination(seed + index), seed + index]);
}

async function one(names: readonly SwitchName[], own: number): Promise<number> {
  const start = performance.now();
  const findings = await scenario(names, { seed: own, trace: values.trace });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const name = names.length === 0 ? 'none' : names.join(',');
  const [first] = findings;
  const lines = [
    `${first === undefined ? 'ok  ' : 'FAIL'} ${name} (seed ${own}, ${seconds} s)\n`,
    ...findings.map(text),
  ];
  if (first !== undefined && names.length > 1) {
    lines.push(`  with fewest switches: --switch ${(await fewest(names, own, first)).join(',')} --seed ${own}\n`);
  }
  process.stdout.write(lines.join(''));
  return first === undefined ? 0 : 1;
}

/** The switches that the finding needs: without the others, the same step has a finding. */
async function fewest(names: readonly SwitchName[], own: number, { step }: Finding): Promise<readonly SwitchName[]> {
  for (const name of names) {
    const fewer = names.filter((one) => one !== name);
    const findings = fewer.length === 0 ? [] : await scenario(fewer, { seed: own });
    if (findings[0]?.step === step) return fewest(fewer, own, findings[0]);
  }
  return names;
}

function text({ step, what, said }: Finding): string {
  const end = said.split('\n').slice(0, 1).concat(said.split('\n').slice(1).slice(-8)).join('\n      ');
  return `  ${step}: ${what}\n      ${end}\n`;
}
