/**
 * Builds OpenTofu for the tests of the provider, if Go is installed: `npm run -s tofu -- FOLDER` prints the path of the
 * executable, for `GANTRY_TOFU`. It takes ten minutes and 3 GB of Go's caches the first time.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isObject, stringAt } from '../src/base/json/json.ts';

const module = 'github.com/opentofu/opentofu';
const version = 'v1.11.4';

const [given] = process.argv.slice(2);
if (given === undefined) {
  process.stderr.write('npm run -s tofu -- FOLDER\n');
  process.exit(64);
}
const folder = resolve(given);

function go(...args: readonly string[]): string {
  try {
    // The progress output of the command is not its result.
    const env = { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false' };
    return execFileSync('go', args, { cwd: folder, encoding: 'utf8', env, stdio: ['ignore', 'pipe', process.stderr] });
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    process.stderr.write(
      isMissing ? 'Go is not on the PATH, and OpenTofu is built by it\n' : `go ${args.join(' ')} failed\n`,
    );
    process.exit(1);
  }
}

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'go.mod'), 'module tofu\n');
const downloaded: unknown = JSON.parse(go('mod', 'download', '-json', `${module}@${version}`));
const described = readFileSync((isObject(downloaded) ? stringAt(downloaded, 'GoMod') : undefined) ?? '', 'utf8');
// A module with replacements cannot be installed by name; built as a requirement of another, it keeps these lines.
const kept = described.split('\n').filter((line) => /^(go|replace) [^(]*$/.test(line));
writeFileSync(join(folder, 'go.mod'), `module tofu\n\n${kept.join('\n')}\n\nrequire ${module} ${version}\n`);
const executable = join(folder, process.platform === 'win32' ? 'tofu.exe' : 'tofu');
go('build', '-o', executable, `${module}/cmd/tofu`);
process.stdout.write(`${executable}\n`);
