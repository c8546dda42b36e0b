import { describe, expect, test } from 'vitest';
import type { LocatedProblem } from '../../../src/manifest/model/locatedProblem.ts';
import { renamedReferences, undeclaredReferences } from '../../../src/plan/references/declaredLinks.ts';
import { declared } from '../planText.ts';
import { org } from '../world.ts';

const said = (problems: readonly LocatedProblem[]) =>
  problems.map(({ severity, message, hint }) => `${severity}: ${message}; ${hint}`);

describe('manifests that name a resource that they do not declare', () => {
  const undeclared = (text: string, isWhole = true) => said(undeclaredReferences(declared(text), { org, isWhole }));
  const missing = 'warning: workload/g/api is not declared in these manifests;';
  const correct = 'Correct the name, or declare it. If it is on the platform already, nothing is wrong.';

  // biome-ignore format: a row is a case
  test.each<[string, string, readonly string[], boolean?]>([
    ['are warned about in a GVC that they declare', 'gvc/g; workload/g/web calls(api)', [`${missing} ${correct}`]],
    ['are not warned about in another GVC', 'workload/g/web calls(api)',
      []],
    ['are not warned about outside of a GVC', 'gvc/g; workload/g/web reads(key)', []],
    ['are not warned about if there are other stacks', 'gvc/g; workload/g/web calls(api)', [], false],
    ['are warned about if another name is nearly the same', 'gvc/g; workload/g/apj; workload/g/web calls(api)',
      [`${missing} Did you mean workload/g/apj?`], false],
    ['are not warned about if only a number differs', 'gvc/g; workload/g/api2; workload/g/web calls(api1)', [], false],
    ['are not warned about in a resource that is handed over', 'gvc/g; workload/g/web calls(api) handOver(bank)', []],
  ])('%s', (_, text, expected, isWhole) => expect(undeclared(text, isWhole)).toEqual(expected));
});

describe('a reference to the old name of a resource', () => {
  const renamed = (text: string) => said(renamedReferences(declared(text), org));

  test.each([
    ['is an error if the record needs its target', 'domain/a.com routes(site)', 'error'],
    ['is a warning if the record does not', 'policy/p targets(workload/g/site)', 'warning'],
    ['is an error in dependsOn', 'group/a dependsOn(workload/g/site)', 'error'],
  ])('%s', (_, referrer, severity) => {
    const hint = 'Write the new name, workload/g/web.';
    expect(renamed(`workload/g/web previously(site); ${referrer}`)).toEqual([
      `${severity}: workload/g/site is the old name of workload/g/web; ${hint}`,
    ]);
    expect(renamed(`workload/g/web; ${referrer}`)).toEqual([]);
  });
});
