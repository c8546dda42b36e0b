import { type Attack, demand } from './attack.ts';
import { gantry, makeFolder } from './cli.ts';

/** A value that must never be printed, not even in part. */
const canary = 'Xk7Qz9secretWv3';
const piece = 'Qz9secret';

/** Malformed documents of many forms; `S` is the secret. */
// biome-ignore format: a row is a case
const forms: readonly string[] = [
  'password: !S', 'password: !!S', 'password: !<S', 'password: !S!x', 'password: ! S: x: y', 'password: *S',
  'password: &S', 'password: &S *S', 'password: "S', "password: 'S", 'password: "S\\q"', 'password: "\\xS"',
  'password: "\\uS"', 'password: "S"S', "password: 'S'S", 'password: [S', 'password: {S', 'password: [S}',
  'password: {S]', 'password: {a: S, a: S', 'password: S: S', 'password: - S', 'password: @S', 'password: `S',
  'password: %S', '%S\n---\na: 1', '%TAG S\n---\na: 1', '%YAML S\n---\na: 1', 'password: |S\n  x', 'password: >S\n  x',
  'password: |9S\n x', '\tpassword: S', 'password:\n\tS', 'password: S\n bad: S', 'password: S\n  - S', '- S\nS: x',
  'S', 'S: S\nS: S', '? S\n? S\n: : S', '? [S]\n: 1', '? {S: 1}\n: 1', 'password: S\n...\nS: [', '--- S: S: S',
  '---\n---S', '<<: S', '<<: [S]', '<<: *S', '<<: {S', 'a: &a [*a, S', 'a: &S\nb: *T', 'password: !!int S',
  'password: !!float S', 'password: !!binary S$', 'password: !!timestamp S', 'password: !!set [S]',
  'password: !!omap S', 'password: !!null S', 'password: !!bool S', 'password: \u0000S', 'password: S\u0007',
  'password: "S\u0001"', '{"password": "S"', '{"password": "S",}', '{"password": S}', '{"password": "S" "x": 1}',
  "{'password': 'S'}", '{"password": "S\n"}', '{"password": "\\S"}', '[{"password": "S"}', '{"S": 1, "S": 2}',
  '{"password": "S"} S', '\uFEFF{"password": S', 'password: "S" # \u0000', 'password: ["S", "S"', 'S = S', '[S]\nS = 1',
  '<S>S</S>', 'password: ${S', 'password: {{ S }}',
];

const head = 'kind: secret\nname: key\ntype: dictionary\ndata:\n';
const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');

async function lookFor(
  where: string,
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  input?: string,
): Promise<void> {
  const folder = makeFolder(files);
  try {
    const outcome = await gantry(args, { cwd: folder.path, ...(input === undefined ? {} : { input }) });
    const said = outcome.stdout + outcome.stderr;
    demand(!said.includes(piece), `${where}: the secret is printed`, said);
    demand(!/^\s+at \S.*[(/:]/m.test(outcome.stderr), `${where}: a raw trace`, said);
    demand(outcome.signal === null, `${where}: ended by a signal`, said);
  } finally {
    folder.remove();
  }
}

/** Four forms share a process, as separate files. */
async function tryAll(every: number): Promise<void> {
  const texts = forms.filter((_, index) => index % every === 0).map((form) => form.replaceAll('S', canary));
  const files = Object.fromEntries(
    texts.flatMap((text, index) => [
      [`as-a-file-${index}.yaml`, text],
      [`as-json-${index}.json`, text],
      [`in-data-${index}.yaml`, `${head}${indented(text)}\n`],
    ]),
  );
  await lookFor('manifests', { 'gantry.yaml': 'stack: town\n', ...files }, ['validate', '.']);
  for (const text of texts) {
    await lookFor('standard input', {}, ['validate', '-'], `${head}${indented(text)}\n`);
    await lookFor('gantry.yaml', { 'gantry.yaml': `token: x\n${text}\n`, 'a.yaml': head }, [
      'validate',
      '.',
      '-o',
      'json',
    ]);
  }
  for (const text of texts.filter((_, index) => index % 4 === 0)) {
    const settings = { 'gantry.yaml': 'stack: town\n', 'a.yaml': 'kind: group\nname: a\n', 'odd.yaml.txt': text };
    await lookFor('--dialect', settings, ['plan', '.', '--embedded', '--dialect', 'odd.yaml.txt']);
    await lookFor('--snapshot', settings, ['plan', '.', '--snapshot', 'odd.yaml.txt']);
    await lookFor('apply FILE', settings, ['undo', 'odd.yaml.txt', '--embedded']);
    await lookFor('--tokens', settings, [
      'serve',
      '--port',
      '0',
      '--data',
      ':memory:',
      '--tokens',
      'odd.yaml.txt',
      '--token',
      '',
    ]);
  }
}

export const malformed: readonly Attack[] = [
  { name: 'a secret in malformed YAML and JSON, every seventh form', run: () => tryAll(7) },
  { name: `a secret in malformed YAML and JSON, ${forms.length} forms`, long: true, run: () => tryAll(1) },
];
