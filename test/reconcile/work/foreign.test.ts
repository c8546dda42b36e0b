import { mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadStacks } from '../../../src/gantry/loading/loadStack.ts';
import type { StepEvent } from '../../../src/project/session/event.ts';
import { openProject } from '../../../src/project/settings/project.ts';
import type { StackEntry } from '../../../src/reconcile/model.ts';
import { openSources } from '../../../src/reconcile/sources/openSources.ts';
import { sessionOf, type WorkerSurroundings } from '../../../src/reconcile/work/surroundings.ts';
import { writeBelow } from '../../harness/writeBelow.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { Repository } from '../sources/repository.ts';

const parent = realpathSync(temporaryFolder('foreign'));
const { signal } = new AbortController();

type Worker = Pick<WorkerSurroundings, 'environment' | 'options'>;

const worker: Worker = {
  environment: {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DB_PASSWORD: 'of-the-shop',
    OTHER_PASSWORD: 'of-others',
  },
  options: { embedded: false, endpoint: 'https://platform.example.com', token: 'of-the-worker', org: 'acme' },
};

interface Loaded {
  /** Each problem with its code. */
  readonly problems: readonly string[];
  readonly manifests: string;
  readonly output: readonly string[];
}

/** The stack of a repository, as a worker loads it. */
async function loaded(files: Readonly<Record<string, string>>, variables = ''): Promise<Loaded> {
  const repository = new Repository(parent);
  repository.commit(files);
  const folder = mkdtempSync(join(parent, 'worker-'));
  writeBelow(
    folder,
    'reconcile.yaml',
    `repositories: [{for: ${repository.folder}, variables: [${variables}]}]\nstacks: {shop: {git: {url: ${repository.folder}, path: shop}}}`,
  );
  const sources = openSources({ stateFolder: join(folder, 'state'), cwd: folder, environment: process.env });
  const [entry] = (await sources.readConfig('reconcile.yaml')(signal)).stacks;
  if (entry === undefined) throw new Error('there is one');
  const fetched = await sources.fetchStack(entry, signal);
  const events: StepEvent[] = [];
  const session = sessionOf(worker, entry, { ...fetched, tell: (event) => void events.push(event) });
  const project = await openProject(session, ['.']);
  const stacks = await loadStacks(session, ['.'], { project }).catch(() => []);
  return {
    problems: events.flatMap((event) =>
      event.type === 'problems' ? event.problems.map(({ rule, message }) => `${rule}: ${message}`) : [],
    ),
    manifests: JSON.stringify(stacks.map(({ desired }) => [...desired.values()])),
    output: events.flatMap((event) => (event.type === 'output' ? [event.line] : [])),
  };
}

const settings = 'stack: shop\nsecrets: {commands: true, files: [/etc, ../shared]}\n';
const secret = (source: string) => `kind: secret\nname: database\ntype: opaque\ndata: {payload: {${source}}}\n`;

test.each([
  ['a command', 'fromCommand: [cat, /etc/passwd]', 'value.command: commands of a repository are not run'],
  ['a file of the machine', 'fromFile: /etc/hostname', 'value.file: the file is outside of the project folder'],
  ['the token of the worker', 'fromEnv: GANTRY_TOKEN', 'value.source: variables that begin with GANTRY_'],
  ['a variable that the worker did not give to it', 'fromEnv: OTHER_PASSWORD', 'OTHER_PASSWORD'],
])('manifests of a repository cannot read %s, whatever their gantry.yaml permits', async (_, source, problem) => {
  const { problems, manifests } = await loaded(
    { 'shop/gantry.yaml': settings, 'shop/db.yaml': secret(source) },
    'DB_PASSWORD',
  );
  expect(problems).toEqual([expect.stringContaining(problem)]);
  expect(manifests).toBe('[]');
});

test.each(['/etc/cron.d/x', '../../x', 'deploy.key'])(
  'a value that is shown once is not saved to %s on the worker',
  async (file) => {
    const { problems, manifests } = await loaded({
      'shop/gantry.yaml': 'stack: shop',
      'shop/account.yaml': 'kind: serviceaccount\nname: deployer\n',
      'shop/key.yaml': `kind: output
name: key
value: \${live.serviceaccount/deployer:keys.deploy.key}
saveTo: { file: ${file} }
`,
    });
    expect(problems).toEqual([expect.stringContaining('output.save: saveTo is for folders')]);
    expect(manifests).toBe('[]');
  },
);

test('foreign stacks can read variables that the worker gives to the repository, and files of the repository', async () => {
  const files = { 'shop/gantry.yaml': settings, 'shared/db': 'of-a-file' };
  const ofVariable = await loaded({ ...files, 'shop/db.yaml': secret('fromEnv: DB_PASSWORD') }, 'DB_PASSWORD');
  expect([ofVariable.problems, ofVariable.manifests]).toEqual([[], expect.stringContaining('of-the-shop')]);
  const ofFile = await loaded({ ...files, 'shop/db.yaml': secret('fromFile: ../shared/db') });
  expect([ofFile.problems, ofFile.manifests]).toEqual([[], expect.stringContaining('of-a-file')]);
});

test('code of a repository sees no other variable, and reads nothing outside it', async () => {
  const code = `import { App, Gvc, Stack } from 'gantry';
import { readFileSync } from 'node:fs';
const attempt = (path: string) => { try { return readFileSync(path, 'utf8').length; } catch (error) { return error.code; } };
console.log(Object.keys(process.env).filter((name) => /PASSWORD|TOKEN/.test(name)).join(), attempt('/proc/' + process.ppid + '/environ'), attempt('../shared/name'));
const app = new App();
new Gvc(new Stack(app, 'shop'), 'shop', { locations: ['aws-eu-central-1'] });
export default app;
`;
  const { problems, output } = await loaded(
    { 'shop/gantry.yaml': 'stack: shop', 'shop/stack.ts': code, 'shared/name': 'abc' },
    'DB_PASSWORD',
  );
  expect([problems, output]).toEqual([[], ['DB_PASSWORD ERR_ACCESS_DENIED 3']]);
});

const git = { kind: 'git', url: 'https://e.com/a', repository: 'e.com/a', ref: 'HEAD' } as const;

test.each<[string, Partial<StackEntry>, Worker['options'], string | undefined]>(
  // biome-ignore format: a row is a case
  [
    ['to the platform of the worker', { source: git }, worker.options, 'of-the-worker'],
    ['not to another platform of reconcile.yaml', { source: git, endpoint: 'https://other.example.com' },
      worker.options, undefined],
    ['not to one that a repository names', { source: git }, { embedded: false, token: 'of-the-worker' }, undefined],
    ['to one that a folder names, as in gantry apply', {}, { embedded: false, token: 'of-the-worker' },
      'of-the-worker'],
  ],
)('the token of the worker goes %s', (_, more, options, token) => {
  const source = { kind: 'folder', path: '/srv' } as const;
  const entry: StackEntry = { name: 'a', source, mode: 'auto', intervalMs: 1, jitterMs: 0, after: [], ...more };
  expect(sessionOf({ ...worker, options }, entry, { folder: '/srv', tell: () => {} }).options.token).toBe(token);
});

test('the code of a folder cannot see variables from which reconcile.yaml reads secrets', () => {
  const source = { kind: 'folder', path: '/srv' } as const;
  const entry: StackEntry = { name: 'a', source, mode: 'auto', intervalMs: 1, jitterMs: 0, after: [] };
  const session = sessionOf({ ...worker, secretVariables: ['OTHER_PASSWORD'] }, entry, {
    folder: '/srv',
    tell: () => {},
  });
  expect(Object.keys(session.environment).sort()).toEqual(['DB_PASSWORD', 'HOME', 'PATH']);
});
