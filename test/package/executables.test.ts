import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gantryFile, platforms, providerEntries } from '../../scripts/executableContents.ts';
import type { ZipEntry } from '../../src/gantry/terraform/packedMirror.ts';
import { mirrorConfiguration } from '../../src/hcl/configuration/cliConfiguration.ts';
import { providerSource } from '../../src/hcl/provider.ts';
import { makeCertificate } from '../../src/provider/host/certificate.ts';
import { version } from '../../src/terminal/version.ts';
import { makeProject, reasonToSkip } from '../provider/harness/terraform.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const folder = temporaryFolder('executables');
const home = join(folder, 'home');
mkdirSync(home);

/** The only Node available: the one that runs this test. */
const here = { platform: 'linux_amd64', node: process.execPath };

function whyNot(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'they are run on linux_amd64 only';
  const { status } = spawnSync('npx', ['--yes', 'postject@1.0.0-alpha.6', '--help'], { stdio: 'ignore' });
  return status === 0 ? undefined : 'npm cannot fetch postject, which puts a program into Node';
}

const skipped = whyNot();
if (skipped !== undefined) console.warn(`skipped: executables without Node, because ${skipped}`);

/** As on a machine without Node. */
function run(file: string, args: readonly string[], environment: Readonly<Record<string, string>> = { HOME: home }) {
  const options = { cwd: folder, env: { PATH: '', ...environment }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(file, args, options);
  return { status, stdout, stderr };
}

function writeEntries(entries: readonly ZipEntry[], place: string): void {
  for (const { name, content, isExecutable } of entries) {
    const file = join(folder, place, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode: isExecutable ? 0o755 : 0o644 });
  }
}

const cookie = { TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2' };
const group = 'kind: group\nname: ops\n';
const stack = `import { App, Group, Stack } from 'gantry';
const app = new App();
new Group(new Stack(app, 'alone'), 'ops', {});
export default app;
`;

describe.skipIf(skipped !== undefined)('gantry as one file, with an empty PATH', () => {
  const gantry = join(folder, 'gantry');
  const programs = join(home, '.cache/gantry/programs');
  beforeAll(() => {
    const { content, name } = gantryFile(here, version);
    expect(name).toBe('gantry');
    writeFileSync(gantry, content, { mode: 0o755 });
    writeFileSync(join(folder, 'ops.yaml'), group);
    writeFileSync(join(folder, 'stack.ts'), stack);
  });

  test('runs, and unpacks itself once, for this user alone', () => {
    expect(run(gantry, ['--version'])).toEqual({ status: 0, stdout: `gantry ${version}\n`, stderr: '' });
    const [name = '', ...others] = readdirSync(programs);
    expect(others).toEqual([]);
    expect(statSync(programs).mode & 0o777).toBe(0o700);
    const { ino } = statSync(join(programs, name, 'node'));
    run(gantry, ['--version']);
    expect(readdirSync(programs)).toEqual([name]);
    expect(statSync(join(programs, name, 'node')).ino).toBe(ino);
  });

  test('applies manifests and a stack in TypeScript, without any packages, and returns its exit code', () => {
    for (const path of ['ops.yaml', 'stack.ts']) {
      const data = ['--embedded', '--data', join(folder, `data-${path}`), '--stack', 'alone'];
      const { status, stderr } = run(gantry, ['apply', path, ...data, '--yes']);
      expect(status, stderr).toBe(0);
      expect(run(gantry, ['plan', path, ...data, '--detailed-exitcode'])).toMatchObject({ status: 0, stderr: '' });
    }
    expect(run(gantry, ['plan', 'ops.yaml', '--embedded', '--stack', 'alone', '--detailed-exitcode']).status).toBe(2);
    expect(run(gantry, ['no-such-command']).status).toBe(64);
  });

  test('works without a writable folder, and leaves no file', () => {
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    expect(run(gantry, ['--version'], { TMPDIR: temporary })).toMatchObject({
      status: 0,
      stdout: `gantry ${version}\n`,
    });
    expect(run(gantry, ['no-such-command'], { TMPDIR: temporary }).status).toBe(64);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('installs the provider with its Node, for this machine', () => {
    expect(run(gantry, ['terraform', 'install', '--dir', 'plugins'])).toMatchObject({ status: 0 });
    const inMirror = join(folder, 'plugins', providerSource, version, here.platform);
    const { stdout } = run(join(inMirror, `terraform-provider-gantry_v${version}`), [], {});
    expect(stdout).toContain('Terraform and OpenTofu start it by themselves');
  });
});

describe.skipIf(skipped !== undefined)('the provider with its own Node, with an empty PATH', () => {
  test.each([
    ['as a script with Node beside it', 'linux_amd64', ''],
    ['as the executable of Windows, here of Linux', 'windows_amd64', '.exe'],
  ])('%s', (place, platform, extension) => {
    writeEntries(providerEntries({ ...here, platform }, version), place);
    const file = join(folder, place, `terraform-provider-gantry_v${version}${extension}`);
    expect(run(file, [], {}).stdout).toContain('Terraform and OpenTofu start it by themselves');
    const { certificate } = makeCertificate(new Date());
    const env = { ...cookie, HOME: home, TMPDIR: folder, PLUGIN_CLIENT_CERT: certificate };
    // Ends the provider when it has printed its address, as Terraform would. `read` fails until the line is complete.
    const started = `"${file}" > line & pid=$!; until read -r line < line; do :; done; echo "$line"; kill "$pid"`;
    expect(run('/bin/sh', ['-c', started], env).stdout).toMatch(/^1\|6\|unix\|[^|]+\|grpc\|[\w+/]+\n$/);
  });
});

const withoutTerraform = reasonToSkip();
if (withoutTerraform !== undefined)
  console.warn(`skipped: mirrors with the real terraform, because ${withoutTerraform}`);

describe.skipIf(withoutTerraform !== undefined)('the mirror from `gantry terraform mirror`', () => {
  const mirror = join(folder, 'mirror');
  const archives = (): Record<string, { readonly hashes: readonly string[] }> =>
    JSON.parse(readFileSync(join(mirror, providerSource, `${version}.json`), 'utf8')).archives;
  const cli = new URL('../../dist/cli.js', import.meta.url).pathname;
  const own = makeCertificate(new Date());
  const authority = join(folder, 'ca.pem');
  const server = createServer({ key: own.key, cert: own.certificate }, ({ url = '' }, response) => {
    try {
      const content = readFileSync(join(mirror, url));
      response.setHeader('content-type', url.endsWith('.json') ? 'application/json' : 'application/zip').end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  beforeAll(async () => {
    execFileSync(process.execPath, [cli, 'terraform', 'mirror', mirror], { env: { ...process.env, HOME: home } });
    writeFileSync(authority, own.certificate);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());

  function configuration(kind: 'filesystem' | 'network'): string {
    if (kind === 'filesystem') return mirrorConfiguration(mirror);
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    return `provider_installation {\n  network_mirror {\n    url = "https://localhost:${port}/"\n  }\n}\n`;
  }

  test.each(['filesystem', 'network'] as const)('is accepted by terraform init as a %s mirror', async (kind) => {
    const project = makeProject(join(folder, kind), { TEST_RC: configuration(kind), SSL_CERT_FILE: authority });
    project.write('');
    expect(await project.run('init', '-no-color')).toMatchObject({ code: 0 });
    expect((await project.run('validate', '-no-color')).text).toContain('The configuration is valid');
  });

  test('contains the hashes of lock files for every platform, as Terraform computes them', async () => {
    const platformOptions = Object.keys(archives()).map((platform) => `-platform=${platform}`);
    expect(platformOptions).toHaveLength(4);
    const project = makeProject(join(folder, 'locked'), { TEST_RC: '' });
    project.write('');
    const ran = await project.run('providers', 'lock', '-no-color', `-fs-mirror=${mirror}`, ...platformOptions);
    expect(ran.code, ran.text).toBe(0);
    const lock = readFileSync(join(project.folder, '.terraform.lock.hcl'), 'utf8');
    const contentHashes = Object.values(archives()).flatMap(({ hashes }) =>
      hashes.filter((each) => each.startsWith('h1:')),
    );
    expect([...new Set(contentHashes)].sort()).toEqual(
      [...lock.matchAll(/"(h1:[^"]+)"/g)].map(([, hash]) => hash).sort(),
    );
  });
});

const all = process.env['GANTRY_EXECUTABLES'] === 'all';
if (!all) console.warn('skipped: executables of all platforms take minutes; GANTRY_EXECUTABLES=all makes them');

/** The first bytes of executables of each system, and where they name the processor. */
const headers: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  linux_amd64: (bytes) => bytes.toString('latin1', 0, 4) === '\x7fELF' && bytes.readUInt16LE(18) === 0x3e,
  linux_arm64: (bytes) => bytes.toString('latin1', 0, 4) === '\x7fELF' && bytes.readUInt16LE(18) === 0xb7,
  darwin_amd64: (bytes) => bytes.readUInt32LE(0) === 0xfe_ed_fa_cf && bytes.readUInt32LE(4) === 0x01_00_00_07,
  darwin_arm64: (bytes) => bytes.readUInt32LE(0) === 0xfe_ed_fa_cf && bytes.readUInt32LE(4) === 0x01_00_00_0c,
  windows_amd64: (bytes) =>
    bytes.toString('latin1', 0, 2) === 'MZ' && bytes.readUInt16LE(bytes.readUInt32LE(0x3c) + 4) === 0x86_64,
};

test.skipIf(!all)(
  'a release contains both for every platform that npm has a Node for, with valid checksums',
  () => {
    const release = join(folder, 'release');
    execFileSync('npm', ['run', '--silent', 'executables', '--', release], { stdio: 'inherit' });
    const inMirror = join(release, 'mirror', providerSource);
    for (const place of [release, inMirror]) {
      const [sums = ''] = readdirSync(place).filter((name) => name.endsWith('_SHA256SUMS'));
      execFileSync('sha256sum', ['--check', '--strict', sums], { cwd: place });
    }
    for (const platform of platforms) {
      for (const [archive, file] of [
        [join(release, `gantry_${version}_${platform}.zip`), 'gantry*'],
        [
          join(inMirror, `terraform-provider-gantry_${version}_${platform}.zip`),
          platform.startsWith('windows_') ? '*.exe' : 'parts/node',
        ],
      ] as const) {
        const bytes = execFileSync('unzip', ['-p', archive, file], { maxBuffer: 2 ** 30 });
        expect(headers[platform]?.(bytes), `${archive} ${file}`).toBe(true);
        const hasProgram = bytes.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1');
        expect(hasProgram, `${archive} ${file}`).toBe(file !== 'parts/node');
      }
    }
  },
  3_600_000,
);
