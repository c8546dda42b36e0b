import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { gantry, type PseudoTerminal, startProgramInTerminal } from '../../harness/pseudoTerminal.ts';
import { platformForAll } from '../../server/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const platform = platformForAll({}, async (each) => {
  for (const name of ['shop', 'shoes']) await each.send('POST', 'gvc', { name });
});
const cwd = temporaryFolder('shells');
const bin = join(cwd, 'bin');

/** Puts `gantry` on the PATH, as an installation does. */
beforeAll(() => {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'gantry'), `#!/bin/sh\nexec ${gantry.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(join(bin, 'gantry'), 0o755);
});

function environment(): Readonly<Record<string, string>> {
  const of = { GANTRY_ENDPOINT: platform.url, GANTRY_TOKEN: 'secret-token', GANTRY_ORG: 'local' };
  return { PATH: `${bin}:${process.env['PATH']}`, HOME: cwd, ZDOTDIR: cwd, ...of };
}

/** Whether a shell is missing; if so, a warning says that its tests are skipped. */
function isMissing(shell: string): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    console.warn(`skipped: there is no ${shell} on the PATH`);
    return true;
  }
}

/** The output of a shell that runs a script. */
function said(shell: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(shell, args, { cwd, env: environment() }, (error, stdout, stderr) =>
      error === null ? resolve(`${stdout}${stderr}`) : reject(error),
    );
  });
}

// biome-ignore format: a row is a case
/** `typed` is the command line; `of` are the words that bash splits it into. */
const lines = [
  { typed: 'gantry gvc del', of: ['gantry', 'gvc', 'del'], are: ['delete', 'delete-all-workloads'] },
  { typed: 'gantry volumeset volume ', of: ['gantry', 'volumeset', 'volume', ''], are: ['delete', 'get'] },
  { typed: 'gantry help vs volume ', of: ['gantry', 'help', 'vs', 'volume', ''], are: ['delete', 'get'] },
  { typed: 'gantry gvc get s', of: ['gantry', 'gvc', 'get', 's'], are: ['shop', 'shoes'] },
  { typed: 'gantry gvc get --output=js', of: ['gantry', 'gvc', 'get', '--output', '=', 'js'],
    are: ['--output=json', '--output=json-slim'] },
  { typed: 'gantry gvc update shop --set spec.staticP',
    of: ['gantry', 'gvc', 'update', 'shop', '--set', 'spec.staticP'], are: ['spec.staticPlacement.'] },
  { typed: 'gantry plan bi', of: ['gantry', 'plan', 'bi'], are: ['bin/'] },
];

describe.skipIf(isMissing('bash'))('bash', () => {
  test.each(lines)('$typed', async ({ typed, of, are }) => {
    const words = of.map((word) => `'${word}'`).join(' ');
    const script = `source <(gantry completion bash)
COMP_LINE='${typed}' COMP_POINT=${typed.length} COMP_WORDS=(${words}) COMP_CWORD=${of.length - 1}
_gantry
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const found = (await said('bash', ['--norc', '-c', script])).split('\n').filter((line) => line !== '');
    // Bash replaces only the part after `=`, and completes paths itself if there are no other candidates.
    const expected = typed.includes('plan') ? [] : are.map((each) => each.replace(/^--output=/, ''));
    expect(found.toSorted()).toEqual(expected.toSorted());
  });
});

describe.skipIf(isMissing('fish'))('fish', () => {
  test.each(lines)('$typed', async ({ typed, are }) => {
    const script = `gantry completion fish | source; complete -C '${typed}'`;
    const found = (await said('fish', ['--no-config', '-c', script])).split('\n').filter((line) => line !== '');
    expect(found.map((line) => line.split('\t')[0]).toSorted()).toEqual(are.toSorted());
  });
});

describe.skipIf(isMissing('zsh'))('zsh', () => {
  let terminal: PseudoTerminal | undefined;
  afterEach(() => terminal?.close());

  test('in a terminal, a single candidate is typed, several are listed, and paths complete too', async () => {
    const started = startProgramInTerminal('zsh', ['-f', '-i'], { cwd, env: { ...environment(), PS1: 'ready> ' } });
    terminal = started;
    const { type, until } = started;
    await until(/ready>/);
    type('source <(gantry completion zsh); print loa"ded"\r');
    await until(/^loaded\nready>/m);
    type('gantry gvc quer\t');
    await until(/ready> gantry gvc query$/m);
    type('\u0015gantry gvc get sho\t\t');
    await until(/^shoes +shop$/m);
    type('\u0015gantry gvc get --output=yaml-\t');
    await until(/--output=yaml-slim/);
    type('\u0015gantry plan bi\t');
    await until(/gantry plan bin\//);
  });
});

describe.skipIf(isMissing('pwsh'))('PowerShell', () => {
  test.each(lines.slice(0, 4))('$typed', async ({ typed, are }) => {
    const script = `gantry completion powershell | Out-String | Invoke-Expression
(TabExpansion2 -inputScript '${typed}' -cursorColumn ${typed.length}).CompletionMatches | ForEach-Object { $_.CompletionText }`;
    const found = (await said('pwsh', ['-NoProfile', '-Command', script])).split(/\r?\n/).filter((line) => line !== '');
    expect(found.toSorted()).toEqual(are.toSorted());
  });
});
