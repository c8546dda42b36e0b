import { escapeControls } from '../../base/text/escapeControls.ts';
import { withoutSecrets } from '../../base/text/withoutSecrets.ts';
import { ToolError } from '../../base/toolError.ts';
import { excessText } from '../../project/process/bounded.ts';
import { endingText, type ProgramRun } from '../../project/process/runProgram.ts';

export type GitErrorCode =
  | 'reconcile.git'
  | 'reconcile.git-missing'
  | 'reconcile.git-ref'
  | 'reconcile.git-access'
  | 'reconcile.git-unreachable'
  | 'reconcile.git-bounds'
  | 'reconcile.git-link'
  | 'reconcile.git-path'
  | 'reconcile.git-signature';

export function gitError(code: GitErrorCode, url: string, why: string, hint: string): ToolError {
  return new ToolError({ code, message: `${escapeControls(url)}: ${why}`, hint });
}

/** The causes of git's failures, by the words of its message (`LC_ALL=C`); the first that fits counts. */
const known: readonly {
  readonly words: RegExp;
  readonly code: GitErrorCode;
  readonly why: string;
  readonly hint: string;
}[] = [
  {
    words: /couldn't find remote ref|not our ref/i,
    code: 'reconcile.git-ref',
    why: 'it has no such branch or tag',
    hint: 'Correct the branch or the tag in reconcile.yaml, or push it.',
  },
  {
    words: /fsck error|unpack-objects failed|index-pack failed|invalid index-pack/i,
    code: 'reconcile.git',
    why: 'git refuses what it holds',
    hint: 'Look at it with git fsck --strict.',
  },
  {
    words: /host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    code: 'reconcile.git-access',
    why: 'the key of its host is not known, or has changed',
    hint: 'Add it to the known hosts (ssh-keyscan HOST, compared with what the host publishes), or name a file with known-hosts.',
  },
  {
    words:
      /authentication failed|could not read (?:username|password)|permission denied|access denied|returned error: 40[13]|not found|does not appear to be a git repository/i,
    code: 'reconcile.git-access',
    why: 'it is not there, or the credential may not read it',
    hint: 'Check the address, and credentials in reconcile.yaml.',
  },
  {
    words: /unable to redirect|redirect|returned error: 30\d/i,
    code: 'reconcile.git-access',
    why: 'it has moved: its host redirects, which is not followed',
    hint: 'Write its new address into reconcile.yaml.',
  },
  {
    words: /transport '.*' not allowed|protocol .* is not supported/i,
    code: 'reconcile.git-access',
    why: 'its protocol is not allowed',
    hint: 'Use an address of https or ssh.',
  },
  {
    words:
      /could not resolve|unable to access|connection (?:refused|reset|timed out|closed)|timed out|network is unreachable|no route to host|early EOF|hung up|returned error: 5\d\d|operation too slow/i,
    code: 'reconcile.git-unreachable',
    why: 'its host does not answer',
    hint: 'It is tried again at the next interval.',
  },
];

/** Is it about the repository or the network, and not about the copy of it on this machine? */
export function isOfRemote({ said, stopped }: ProgramRun): boolean {
  return stopped !== undefined || known.some(({ words }) => words.test(said));
}

/** The error of a run that failed. `secrets`: masked in what git and the host said. */
export function failureOf(url: string, run: ProgramRun, secrets: readonly string[], mostMs: number): ToolError {
  if (run.stopped === 'time') {
    return gitError(
      'reconcile.git-bounds',
      url,
      `git ${excessText.time(mostMs)}`,
      'Is it very large, or its host slow?',
    );
  }
  const found = known.find(({ words }) => words.test(run.said));
  const details = saidBy(run, secrets);
  if (found !== undefined)
    return gitError(found.code, url, `${found.why}${details === '' ? '' : ` (${details})`}`, found.hint);
  const how = `git ${endingText(run)}`;
  return gitError(
    'reconcile.git',
    url,
    details === '' ? how : details,
    `${how}. It is tried again at the next interval.`,
  );
}

const longest = 300;

/** The line that says it. */
function saidBy({ said }: ProgramRun, secrets: readonly string[]): string {
  const lines = said.split(/[\n\r]/).map((line) => line.trim());
  const line = lines.find((each) => /^(?:fatal|error): /.test(each)) ?? lines.find((each) => each !== '') ?? '';
  const masked = withoutSecrets(line.replace(/^(?:fatal|error): /, ''), secrets);
  return escapeControls(typeof masked === 'string' ? masked : '').slice(0, longest);
}
