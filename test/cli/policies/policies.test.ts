import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { policyTestsSchema } from '../../../src/cli/schemas/commands.ts';
import { useProjectFolder } from '../projectFolder.ts';
import { writeEach } from './eachPolicy.ts';

const project = useProjectFolder('policies');
const gvc = 'kind: gvc\nname: shop\ndescription: a shop\n';
const canary = 'hunter2canary';

/** A policy on GVCs with this body. */
function policy(body: string, before = ''): string {
  return `import { policy } from 'gantry/policies';\n${before}\nexport const tried = policy({ id: 'tried', kind: 'gvc', resource(gvc) {\n${body}\n} });\n`;
}

beforeEach(() => {
  project.write('gvc.yaml', gvc);
  project.write('gantry.yaml', 'stack: shop\n');
});

interface Hostile {
  readonly it: string;
  readonly code: string;
  readonly says: RegExp;
}

// biome-ignore format: a row is a case
/** Policies that fail without affecting other policies. */
const wrong: readonly Hostile[] = [
  { it: 'throws', code: policy("throw new Error('oh no');"),
    says: /\.ts:4:7 .*policies\.throws .*the policy p0-tried threw Error: oh no/ },
  { it: 'rejects', code: policy("return Promise.reject(new Error('oh no'));"),
    says: /\.ts:4:23 .*policies\.throws .*threw Error: oh no/ },
  { it: 'never answers', code: policy('return new Promise(() => {});'),
    says: /\.ts:3:22 .*policies\.ended .*the policy p2-tried awaits a promise that never settles/ },
  { it: 'recurses forever', code: policy('const again = () => again();\nagain();'),
    says: /\.ts:4:21 .*policies\.throws .*threw InternalError: stack overflow/ },
  { it: 'evaluates an endlessly nested text', code: policy("return (0, eval)('('.repeat(1e6));"),
    says: /policies\.throws .*threw SyntaxError: stack overflow/ },
  { it: 'returns an object with another JSON form', code: policy("return [{ message: 'x', toJSON: () => [] }];"),
    says: /policies\.result .*"toJSON"/ },
  { it: 'ends its process', code: policy('process.exit(0);'),
    says: /\.ts:4:1 .*policies\.throws .*ReferenceError: 'process' is not defined .*Policies have nothing but/ },
  { it: 'uses the network', code: policy("return fetch('http://127.0.0.1/');"),
    says: /\.ts:4:8 .*policies\.throws .*ReferenceError: 'fetch' is not defined/ },
  { it: 'uses randomness', code: policy('return Math.random() > 0.5 ? [] : [];'),
    says: /\.ts:4:13 .*policies\.throws .*Math\.random is not there/ },
  { it: 'returns nothing', code: policy('gvc.name;'), says: /policies\.result .*returned nothing in place of a list/ },
  { it: 'returns a text', code: policy("return 'wrong';"),
    says: /policies\.result .*returned a string in place of a list/ },
  { it: 'returns problems in another form', code: policy("return [{ text: 'wrong' }];"),
    says: /policies\.result .*problem 1 that it returned has no message/ },
  { it: 'changes its arguments', code: policy("gvc.name = 'other';\nreturn [];"),
    says: /policies\.throws .*'name' is read-only.*The arguments of a policy are read-only/ },
  { it: 'has a syntax error', code: 'export const = 1;', says: /\.ts:1:14 .*policies\.load .*SyntaxError/ },
  { it: 'imports a missing package', code: "import 'no-such-package';",
    says: /\.ts:1:8 .*policies\.load .*imports no-such-package.*Install the package/ },
  { it: 'exports no policy', code: 'export const x = 1;', says: /policies\.none .*exports no policy/ },
  { it: 'has no function',
    code: "import { policy } from 'gantry/policies';\nexport const x = policy({ id: 'tried' } as never);",
    says: /\.ts:2:18 .*policies\.definition .*needs one function/ },
  { it: 'has an id twice',
    code: `${policy('return [];')}export const again = policy({ id: 'tried', resource: () => [] });`,
    says: /policies\.twice .*two policies with the id p17-tried/ },
  { it: 'has an enum', code: policy('return [];', 'enum Colour { Red }'),
    says: /\.ts:2:1 .*policies\.load .*enum is not supported in strip-only mode .*write a union/ },
  { it: 'throws while it is loaded', code: policy('return [];', "throw new Error('oh no');"),
    says: /\.ts:2:7 .*policies\.load .*Error: oh no/ },
  { it: 'names a kind that does not exist',
    code: "import { policy } from 'gantry/policies';\nexport const x = policy({ id: 'tried', kind: 'gvcs', resource: () => [] } as never);",
    says: /\.ts:2:18 .*policies\.definition .*the kind "gvcs", which does not exist .*Did you mean "gvc"/ },
];

const late = /\.ts:3:22 .*policies\.timeout .*the policy p0-tried took more than 1 s/;
// biome-ignore format: a row is a case
/** Policies that end the run. */
const excessive: readonly Hostile[] = [
  { it: 'loops forever', code: policy('for (;;);'), says: late },
  { it: 'loops forever in a built-in function',
    code: policy('return [].includes.call({ length: 2 ** 53 - 1 }, 1);'), says: late },
  { it: 'matches a text with an endless pattern',
    code: policy("return /^(a+)+$/.test('a'.repeat(60).concat('b')) ? [] : [];"), says: late },
  { it: 'loops forever after it was stopped',
    code: policy('const again = () => { try { for (;;); } finally { again(); } };\nagain();'), says: late },
  { it: 'loops forever while it is loaded', code: policy('return [];', 'for (;;);'),
    says: /\.ts:1:1 .*policies\.timeout .*the file took more than 1 s/ },
  { it: 'allocates memory without an end', code: policy('const all = [];\nfor (;;) all.push({ x: [1, 2, 3] });'),
    says: /policies\.memory .*more than 128 MiB/ },
  { it: 'allocates buffers without an end',
    code: policy('const all = [];\nfor (;;) all.push(new Uint8Array(4_000_000).fill(1));'),
    says: /policies\.memory .*more than 128 MiB/ },
  { it: 'writes megabytes', code: policy("for (;;) console.log('x'.repeat(10_000));"),
    says: /policies\.output .*more than 1 MiB/ },
];

describe('policies that go wrong', () => {
  const limit = (timeout: string) =>
    project.write('gantry.yaml', `stack: shop\npolicies: { timeout: ${timeout}, memory: 128 }\n`);

  async function expectErrors(hostile: readonly Hostile[]): Promise<void> {
    // On a busy machine the other policies take more than a second to fail for their own reason.
    limit(hostile.some(({ says }) => says.source.includes('1 s')) ? '1s' : '60s');
    const saidOf = writeEach(
      project,
      hostile.map(({ code }) => code),
    );
    const { code, stdout } = await project.run(['validate', '.']);
    expect(code).toBe(1);
    for (const [index, { it, says }] of hostile.entries()) {
      expect.soft(saidOf(stdout, index), it).toEqual([expect.stringMatching(says)]);
    }
  }

  test('each cause an error at their line', () => expectErrors(wrong));

  test.each(excessive)('one that $it is an error', (each) => expectErrors([each]));

  /** Refusals by time limit, and at run time by throwing, ending, answering or loading. */
  const refusals = [['loops forever']];
  refusals.push(['throws', 'never answers', 'ends its process', 'returns nothing', 'has a syntax error']);
  test.each(refusals)('%s … refuses plan and apply', async (...names) => {
    const refusing = [...wrong, ...excessive].filter(({ it }) => names.includes(it));
    limit(names.includes('loops forever') ? '1s' : '60s');
    writeEach(
      project,
      refusing.map(({ code }) => code),
    );
    const planned = await project.run(['plan', '.', '--embedded', '--data', ':memory:', '-o', 'json']);
    expect(planned.code).toBe(3);
    const { refused, refusals, changes } = JSON.parse(planned.stdout);
    expect(refused).toBe(true);
    const all = [...refusals, ...changes.flatMap((change: { refusals: object[] }) => change.refusals)];
    const codes = all.map(({ code }) => code.replace('.', '\\.'));
    for (const { it, says } of refusing)
      expect
        .soft(
          codes.some((code) => says.source.includes(code)),
          it,
        )
        .toBe(true);
    // Apply treats a refused plan the same whatever refused it.
    if (!names.includes('throws')) return;
    const applied = await project.run(['apply', '.', '--yes', '--embedded', '--data', ':memory:']);
    expect(applied.code).toBe(3);
  });
});

test('the arguments of a policy contain no secret', async () => {
  project.write(
    'secret.yaml',
    `kind: secret\nname: database\ntype: opaque\ndata: { payload: ${canary}, encoding: plain }\n`,
  );
  project.write(
    'policies/a.mjs',
    `import { policy } from 'gantry/policies';
export const spy = policy({ id: 'spy', severity: 'warning', plan: (plan, context) => [
  { message: JSON.stringify({ plan, context }) },
  { message: Object.getOwnPropertyNames(globalThis).join(' ') },
] });
`,
  );
  const run = await project.run(['plan', '.', '--embedded', '--data', ':memory:'], {
    GANTRY_TOKEN: canary,
    MY_KEY: canary,
  });
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('(sensitive)');
  expect(run.stdout + run.stderr).not.toContain(canary);
});

test("the size of a policy's answer is limited", async () => {
  const many =
    "const text = 'x'.repeat(2_000);\nreturn Array.from({ length: 10_000 }, () => ({ message: text, fix: text, path: text, resource: text }));";
  project.write('gantry.yaml', 'stack: shop\npolicies: { timeout: 60s }\n');
  project.write('policies/a.mjs', policy(many));
  const { stdout, code } = await project.run(['validate', '.']);
  expect(stdout).toMatch(/policies\/a\.mjs:3:22 .*policies\.output .*handed over more than 64 MiB/);
  expect(code).toBe(1);
});

test('a finding is reported at the line of the value, and refuses its change', async () => {
  project.write(
    'policies/a.mjs',
    policy("return [{ message: 'says too little', path: 'description', fix: 'Write more.' }];"),
  );
  const validated = await project.run(['validate', '.']);
  expect(validated.stdout).toBe('gvc.yaml:3:1  policy.tried  description  says too little  Write more.  in gvc/shop\n');
  const planned = await project.run(['plan', '.', '--embedded', '--data', ':memory:', '-o', 'json']);
  expect(JSON.parse(planned.stdout).changes[0]).toMatchObject({
    action: 'refuse',
    intended: 'create',
    refusals: [
      {
        code: 'policy.tried',
        message: 'gvc.yaml:3:1: description: says too little. Write more.',
        allow:
          'add an exception to gantry.yaml: policies: {exceptions: [{policy: tried, resource: gvc/shop, reason: …, until: YYYY-MM-DD}]}',
        place: { file: 'gvc.yaml', line: 3, column: 1 },
      },
    ],
  });
});

test('warnings do not refuse', async () => {
  project.write('policies/a.mjs', policy("return [{ message: 'says too little', severity: 'warning' }];"));
  expect((await project.run(['validate', '.'])).code).toBe(0);
  const planned = await project.run(['plan', '.', '--embedded', '--data', ':memory:']);
  expect(planned.code).toBe(0);
  expect(planned.stdout).toContain('note: policy.tried: gvc.yaml:1:1: says too little');
});

test('policies run on valid manifests only', async () => {
  project.write('policies/a.mjs', policy("throw new Error('not to be asked');"));
  project.write('gvc.yaml', 'kind: gvc\nname: SHOP\n');
  expect((await project.run(['validate', '.'])).stdout).not.toContain('not to be asked');
});

describe('missing files', () => {
  test.each([
    { files: '[rules]', says: /gantry\.yaml:2:21 .*policies\.missing .*rules: there is no such file or folder/ },
    { files: '[gvc.yaml]', says: /policies\.missing .*neither TypeScript nor JavaScript/ },
    { files: '[.]', says: /policies\.missing .*no file in it is/ },
  ])('$files', async ({ files, says }) => {
    project.write('gantry.yaml', `stack: shop\npolicies: { files: ${files} }\n`);
    expect((await project.run(['validate', '.'])).stdout).toMatch(says);
  });

  test('a name that the starter set does not have', async () => {
    project.write('gantry.yaml', 'stack: shop\npolicies: { use: [image-pinned] }\n');
    expect((await project.run(['validate', '.'])).stdout).toMatch(
      /policies\.missing .*image-pinned {2}Did you mean "images-pinned"\?/,
    );
  });
});

test('an exception for an unknown policy is an error', async () => {
  const exception = '{ policy: image-pinned, resource: gvc/shop, reason: x, until: 2099-01-01 }';
  project.write('gantry.yaml', `stack: shop\npolicies: { use: [starter], exceptions: [${exception}] }\n`);
  expect((await project.run(['validate', '.'])).stdout).toMatch(
    /gantry\.yaml:2:42 .*policies\.exception .*"image-pinned" {2}Did you mean "images-pinned"\?/,
  );
});

test('imposed policies run too, and accept no exceptions of the project', async () => {
  project.write('company/a.mjs', policy("return [{ message: 'no' }];"));
  const exception = '{ policy: tried, resource: gvc/shop, reason: x, until: 2099-01-01 }';
  project.write('gantry.yaml', `stack: shop\npolicies: { exceptions: [${exception}] }\n`);
  const { stdout, stderr, code } = await project.run(['validate', '.'], { GANTRY_POLICIES: 'company' });
  expect(code).toBe(1);
  expect(stdout).toContain('policy.tried');
  expect(stderr).toContain('does not count: this policy takes none of the project');
  const missing = await project.run(['validate', '.'], { GANTRY_POLICIES: 'nowhere' });
  expect(missing.stdout).toMatch(/policies\.missing .*nowhere: there is no such file or folder/);
});

describe('with imposed policies', () => {
  const refusing = policy("return [{ message: 'no' }];");
  const harmless = policy('return [];').replaceAll('tried', 'harmless');

  test('code of the project cannot silence them', async () => {
    project.write('company/a.mjs', refusing);
    const silencing = `JSON.stringify = () => '{"found":[]}';\nArray.prototype.push = () => 0;\n`;
    project.write('policies/a.mjs', silencing + harmless);
    const { stdout, code } = await project.run(['validate', '.'], { GANTRY_POLICIES: 'company' });
    expect(stdout).toMatch(/policy\.tried .*no/);
    expect(code).toBe(1);
  });

  test('their ids cannot be reused, and their exports replace those that `use` names', async () => {
    project.write('company/a.mjs', `${refusing}export { starter } from 'gantry/policies';\n`);
    project.write('gantry.yaml', 'stack: shop\npolicies: { use: [starter] }\n');
    const imposing = { GANTRY_POLICIES: 'company' };
    expect((await project.run(['validate', '.'], imposing)).stdout).not.toContain('policies.twice');
    project.write('policies/a.mjs', policy('return [];'));
    expect((await project.run(['validate', '.'], imposing)).stdout).toMatch(
      /policies\/a\.mjs:3:22 .*policies\.twice .*two policies with the id tried/,
    );
  });
});

describe('a saved plan', () => {
  const here = ['--embedded', '--data', 'data'];

  test('is judged again by the current policies', async () => {
    project.write('policies/a.mjs', policy('return [];'));
    expect((await project.run(['plan', '.', ...here, '--out', 'shop.plan'])).code).toBe(0);
    project.write('policies/a.mjs', policy("return [{ message: 'not any more' }];"));
    const refused = await project.run(['apply', 'shop.plan', '--yes', ...here]);
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain('refused policy.tried: gvc.yaml:1:1: not any more');
    project.write('policies/a.mjs', policy('return [];'));
    expect((await project.run(['apply', 'shop.plan', '--yes', ...here])).code).toBe(0);
  });

  test('is refused if a policy that it was made under is missing', async () => {
    project.write('policies/a.mjs', policy('return [];'));
    await project.run(['plan', '.', ...here, '--out', 'shop.plan']);
    project.write('policies/a.mjs', policy('return [];').replace("'tried'", "'other'"));
    const refused = await project.run(['apply', 'shop.plan', '--yes', ...here]);
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain(
      'refused policies.missing: gantry.yaml:1:1: the plan was made under the policy tried',
    );
  });

  test('is judged with its unchanged resources', async () => {
    const both =
      "import { policy } from 'gantry/policies';\nexport const both = policy({ id: 'both', kind: 'gvc', resource: (_, { resources }) => resources.length === 2 ? [] : [{ message: `there are ${resources.length}` }] });\n";
    project.write('policies/a.mjs', both);
    project.write('other.yaml', 'kind: group\nname: readers\n');
    expect((await project.run(['apply', '.', '--yes', ...here])).code).toBe(0);
    project.write('gvc.yaml', gvc.replace('a shop', 'another shop'));
    expect((await project.run(['plan', '.', ...here, '--out', 'shop.plan'])).code).toBe(0);
    expect((await project.run(['apply', 'shop.plan', '--yes', ...here])).code).toBe(0);
  });
});

describe('gantry policy test', () => {
  const owner =
    "import { policy } from 'gantry/policies';\nexport const owner = policy({ id: 'owner', kind: 'gvc', resource: ({ tags = {} }) => 'owner' in tags ? [] : [{ message: 'has no owner', path: 'tags' }] });\n";

  test('reports what was expected and what was found', async () => {
    project.write('policies/a.mjs', owner);
    project.write(
      'policies/a.test.yaml',
      `cases:
  - name: an owner
    manifests: [{ kind: gvc, name: shop, tags: { owner: ana } }]
    expect: []
  - name: none
    manifests: [{ kind: gvc, name: shop }]
    expect: [{ policy: owner, path: description }]
  - name: not valid
    manifests: [{ kind: gvc, name: SHOP }]
    expect: []
`,
    );
    const { code, stdout, stderr } = await project.run(['policy', 'test']);
    expect(code).toBe(1);
    expect(stderr).toContain('2 cases of 3 failed');
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      'policies/a.test.yaml',
      '  ok    an owner',
      '  FAIL  none  policies/a.test.yaml:5:5',
      '        - owner  description',
      '        + error  owner  gvc/shop  tags  has no owner',
    ]);
    expect(stdout).toContain(
      '  FAIL  not valid  policies/a.test.yaml:8:5\n        the manifests are not valid: policies/a.test.yaml:9:36  G1',
    );
    expect(stdout).toMatch(/3 cases: 1 passed, 2 failed\n$/);
    const json = JSON.parse((await project.run(['policy', 'test', '-o', 'json'])).stdout);
    const check = new Ajv2020({ strict: false }).compile(policyTestsSchema);
    check(json);
    expect(check.errors).toBeNull();
    // Its test files are not read as manifests.
    expect((await project.run(['validate', '.'])).stdout).toMatch(/^gvc\.yaml:1:1 {2}policy\.owner/);
  });

  test('a project folder includes the tests in it and those of its policies', async () => {
    project.write('policies/a.mjs', owner);
    project.write('policies/a.test.yaml', 'cases: [{ name: in policies, manifests: [], expect: [] }]\n');
    project.write('b.test.yaml', 'cases: [{ name: beside them, manifests: [], expect: [] }]\n');
    const { code, stdout } = await project.run(['policy', 'test', '.']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/beside them.*in policies.*2 cases: 2 passed/s);
  });

  test('names policies without a case', async () => {
    project.write('policies/a.mjs', owner);
    project.write('policies/a.test.yaml', 'cases: [{ name: an owner, manifests: [], expect: [] }]\n');
    const { code, stdout } = await project.run(['policy', 'test']);
    expect(code).toBe(0);
    expect(stdout).toContain('No case expects a problem of owner.');
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'no tests', file: '', says: /error policies\.no-tests: there are no tests of policies in .*policies/ },
      { it: 'no cases', file: 'policies: []\n',
        says: /error policies\.test-file: policies\/a\.test\.yaml:1:1: cases is missing/ },
      { it: 'an empty list of cases', file: 'cases: []\n',
        says: /error policies\.test-file: policies\/a\.test\.yaml:1:1: there is no case\n/ },
      { it: 'two cases of one name',
        file: 'cases:\n  - { name: x, manifests: [], expect: [] }\n  - { name: x, manifests: [], expect: [] }\n',
        says: /a\.test\.yaml:3:5: another case has the name "x"\n.*Give it its own name\./ },
      { it: 'a policy that does not count',
        file: 'policies: []\ncases:\n  - { name: x, manifests: [], expect: [{ policy: owner }] }\n',
        says: /a\.test\.yaml:3:40: problems of the policy "owner" do not count .*\n.*Add it to `policies`/ },
      { it: 'a key', file: 'cases:\n  - { name: x, manifest: [], expect: [] }\n',
        says: /policies\/a\.test\.yaml:2:16: cases\[0\] has no field "manifest"\n.*Did you mean "manifests"\?/ },
      { it: 'a policy', file: 'cases:\n  - { name: x, manifests: [], expect: [{ policy: ower }] }\n',
        says: /policies\/a\.test\.yaml:2:40: there is no policy "ower"\n.*Did you mean "owner"\?/ },
      { it: 'no YAML', file: 'cases: [', says: /error policies\.test-file: / },
    ],
  )('$it: an error', async ({ file, says }) => {
    project.write('policies/a.mjs', owner);
    if (file !== '') project.write('policies/a.test.yaml', file);
    const { code, stderr } = await project.run(['policy', 'test']);
    expect(stderr).toMatch(says);
    expect(code).toBe(1);
  });

  test('a policy without an answer, and a project without policies, are errors', async () => {
    expect((await project.run(['policy', 'test'])).stderr).toContain(
      `error policies.none: the project in ${project.path} has no policies\n`,
    );
    project.write('policies/a.mjs', policy("throw new Error('oh no');"));
    project.write('policies/a.test.yaml', 'cases: [{ name: x, manifests: [{ kind: gvc, name: shop }], expect: [] }]\n');
    expect((await project.run(['policy', 'test'])).stderr).toMatch(
      /error policies\.throws: policies\/a\.mjs:4:7: the policy tried threw/,
    );
  });

  test('is no command on resources of the kind policy', async () => {
    expect((await project.run(['policy', 'get', '--org', 'x'])).stderr).not.toContain('policies.none');
    expect((await project.run(['-o', 'json', 'policy', 'test'])).stdout).toContain('policies.none');
  });
});

test('policies get the environment like stacks: its name and its values', async () => {
  project.write('gantry.yaml', 'stack: shop\nenvironments:\n  dev: {}\n  prod: {values: {most: 3}}\n');
  project.write(
    'policies/a.mjs',
    `import { policy } from 'gantry/policies';
export const tried = policy({ id: 'tried', kind: 'gvc', resource(_, { environment }) {
  return [{ message: environment === undefined ? 'none' : environment.name + ' ' + JSON.stringify(environment.values) }];
} });
`,
  );
  expect((await project.run(['validate', '--env', 'prod'])).stdout).toContain('prod {"most":3}');
  expect((await project.run(['validate', '--env', 'dev'])).stdout).toContain('dev {}');
});
