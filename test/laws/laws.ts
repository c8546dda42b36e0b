/** A test that proves a law: a file, and a part of the name of the test or of its group. */
export interface Evidence {
  readonly file: string;
  readonly name: string;
}

/** A law, and its tests. */
export interface Law {
  readonly number: number;
  readonly says: string;
  readonly tests: readonly Evidence[];
}

const crash = { file: 'test/sweeps/crash.test.ts', name: 'killed anywhere and run again' };
const race = { file: 'test/sweeps/race.test.ts', name: 'another writer between any two requests' };
const soak = { file: 'test/sweeps/soak.test.ts', name: 'every tenth request fails' };
const patchLaws = 'test/patch/laws.test.ts';
const realKinds = 'test/patch/realKinds.test.ts';
const minimality = 'test/sweeps/minimality.test.ts';

export const laws: readonly Law[] = [
  {
    number: 1,
    says: 'applyPatch(live, diff(live, desired)) equals desired on managed fields, and live elsewhere.',
    tests: [
      { file: patchLaws, name: 'a patch leads from any record exactly to any other' },
      { file: patchLaws, name: 'after the patch every managed field is as declared' },
      { file: realKinds, name: 'after the patch of a plan the next plan is empty' },
    ],
  },
  {
    number: 2,
    says: 'diff(x, x) and diff(normalise(x), x) are nothing; no entry of a patch can be spared.',
    tests: [
      { file: patchLaws, name: 'a record differs from itself in nothing' },
      { file: patchLaws, name: 'no entry of a patch can be spared' },
      { file: realKinds, name: 'what was created from a manifest does not differ from it' },
      { file: realKinds, name: 'no entry of a patch can be spared' },
      { file: 'test/patch/reconcile.test.ts', name: 'records of the vectors' },
      { file: minimality, name: 'no cheaper patch' },
    ],
  },
  {
    number: 3,
    says: 'After an apply the plan is empty, for every scenario and for generated stacks.',
    tests: [{ file: 'test/plan/laws.test.ts', name: 'a plan can be carried out in every order' }, crash, soak],
  },
  {
    number: 4,
    says: 'plan(shuffled input) = plan(input), byte for byte.',
    tests: [{ file: 'test/plan/order/order.test.ts', name: 'plan(shuffled input) = plan(input)' }],
  },
  {
    number: 5,
    says: 'apply(any prefix), then plan and apply = apply; with replies lost, 5xx, 429, and a concurrent writer too.',
    tests: [
      { file: 'test/apply/laws.test.ts', name: 'lost, outdated and busy responses' },
      crash,
      { file: 'test/sweeps/kill.test.ts', name: 'kill -9 of a real process anywhere' },
      { file: 'test/sweeps/replacement.test.ts', name: 'is killed, stopped or refused anywhere loses nothing' },
      race,
      soak,
    ],
  },
  {
    number: 6,
    says: 'Nothing outside the plan is ever deleted; no delete is sent while a reference that the plan knows still holds.',
    tests: [{ file: 'test/plan/laws.test.ts', name: 'a plan can be carried out in every order' }, race],
  },
  {
    number: 7,
    says: 'Requests of plan and apply stay within their bounds.',
    tests: [
      { file: 'test/sweeps/requests.test.ts', name: 'the requests of a plan' },
      { file: 'test/change/documents/planToJson.test.ts', name: 'the number of requests' },
      { file: 'test/apply/laws.test.ts', name: 'requests: one for each change' },
      soak,
    ],
  },
  {
    number: 8,
    says: 'No byte of a secret in any artifact.',
    tests: [
      { file: 'test/e2e/secrets/secrets.test.ts', name: 'no byte of a secret' },
      { file: 'test/patch/shown.test.ts', name: 'masks' },
      { file: 'test/kinds/rules/rules.test.ts', name: 'a message of a secret holds no value of its data' },
      { file: 'test/client/client.test.ts', name: 'that the other side repeats is masked' },
    ],
  },
  {
    number: 9,
    says: 'An acknowledged write is there after kill -9, a refused one never is; version rises by one per change.',
    tests: [
      { file: 'test/server/durability/killSweep.test.ts', name: 'SQLite keeps law 9' },
      { file: 'test/server/process.test.ts', name: 'each change has a version of its own' },
    ],
  },
  {
    number: 10,
    says: "The emulator and the planner's proof agree on random patches; both agree with the hand-written vectors.",
    tests: [
      { file: 'test/patch/model.test.ts', name: 'applyPatch agrees with a second reading of the documents' },
      { file: 'test/patch/vectors.test.ts', name: 'patch-' },
      { file: 'test/patch/vectors.test.ts', name: 'diff.yaml' },
      { file: 'test/plan/laws.test.ts', name: 'every response is as promised' },
      soak,
    ],
  },
];

/** What `npm run sweep` and `npm run soak` run in full, where a test run takes a sample. */
export const swept: ReadonlySet<string> = new Set([
  crash.file,
  'test/sweeps/kill.test.ts',
  race.file,
  'test/sweeps/replacement.test.ts',
  soak.file,
  'test/server/durability/killSweep.test.ts',
]);

export function filesOf(all: readonly Law[]): readonly string[] {
  return [...new Set(all.flatMap(({ tests }) => tests.map(({ file }) => file)))].sort();
}
