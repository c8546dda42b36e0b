import type { Kind } from '../schema/record/kinds.ts';
import { type Noun, nounFirst, nouns } from './nouns.ts';

/** Commands of Terraform, Pulumi, kubectl and kapp that mean the same as one of ours. */
export const aliases: ReadonlyMap<string, readonly string[]> = new Map([
  ['diff', ['plan']],
  ['preview', ['plan']],
  ['up', ['apply']],
  ['deploy', ['apply']],
  ['down', ['destroy']],
  ['import', ['adopt']],
  ['put', ['rest', 'put']],
  ['version', ['--version']],
  ['-v', ['--version']],
]);

/** Usual abbreviations of kinds. */
const shortKinds: ReadonlyMap<string, Kind> = new Map([
  ['wl', 'workload'],
  ['sa', 'serviceaccount'],
  ['id', 'identity'],
  ['vs', 'volumeset'],
  ['loc', 'location'],
]);

/** Commands on single resources that may precede the kind, as in `kubectl get KIND`. */
export const verbs: ReadonlySet<string> = new Set([
  'get',
  'create',
  'delete',
  'edit',
  'patch',
  'query',
  'tag',
  'clone',
]);

/** Commands of other tools that mean something else here, or do not exist. */
export const noImages = "The platform's API builds, pushes and pulls no images: use the tool that builds yours.";
export const noSessions = "The platform's API opens no shells, copies no files and forwards no ports.";

export const instead: ReadonlyMap<string, string> = new Map([
  ['login', 'gantry profile create NAME saves an endpoint and an org, gantry profile login NAME its token.'],
  ['logout', 'gantry profile delete NAME removes a profile with its token.'],
  ['logs', 'gantry workload logs REF shows the log lines of a workload.'],
  ['describe', 'gantry KIND get REF -o yaml prints a record, gantry KIND eventlog REF its events.'],
  ['refresh', 'Every plan reads the live state. gantry drift shows what others changed.'],
  ['rollback', 'gantry undo FILE plans the way back from an applied plan that was saved.'],
  ['state', 'Gantry has no state file. gantry status shows the resources of a stack.'],
  ['workspace', 'Environments are in gantry.yaml: choose one with --env NAME.'],
  ['console', 'gantry KIND query finds records, gantry rest get PATH sends any request.'],
  ['fmt', 'Gantry does not format files: any YAML formatter does.'],
  ['get', 'Name a kind: gantry get workload.'],
  ['delete', 'gantry delete workload REF deletes a record, gantry destroy PATH what the files of a stack declare.'],
  ['rm', 'gantry KIND delete REF deletes a record, gantry destroy a stack.'],
  ...['exec', 'shell', 'ssh', 'attach', 'cp', 'port-forward'].map((word) => [word, noSessions] as const),
  ...['build', 'push', 'pull'].map((word) => [word, noImages] as const),
  ['run', 'gantry workload cron run runs an image once.'],
  ['scale', 'gantry workload update REF --set spec.defaultOptions.autoscaling.minScale=N changes the scale.'],
  ['rollout', 'gantry workload force-redeployment REF replaces replicas, gantry status shows a rollout.'],
  ['top', 'gantry workload replica get REF lists replicas. The platform has its own metrics.'],
  ['config', 'gantry profile get lists profiles: an endpoint, an org and a token.'],
]);

/** Gantry's counterpart of a command of another tool. */
export function insteadOfCommand(word: string): string | undefined {
  return instead.get(word);
}

/** Translates a command line that begins with the words of another tool. */
export function inOwnWords(args: readonly string[]): readonly string[] {
  const [first = '', second = '', ...rest] = args;
  const alias = aliases.get(first);
  if (alias !== undefined) return [...alias, ...args.slice(1)];
  if (first === 'help') {
    const topic = inOwnWords(args.slice(1));
    return nounFirst(topic) === undefined ? ['help', ...topic] : [...topic, '--help'];
  }
  const kind = nounOf(first);
  if (kind !== undefined) return [kind, ...args.slice(1)];
  const target = verbs.has(first) ? nounOf(second) : undefined;
  return target === undefined ? args : [target, first, ...rest];
}

/** The same for a line whose last word is still being typed. After `help`, everything with a help page may follow. */
export function inOwnWordsUntil(args: readonly string[]): readonly string[] {
  if (args[0] === 'help' && args.length > 1) return inOwnWordsUntil(args.slice(1));
  return [...inOwnWords(args.slice(0, -1)), ...args.slice(-1)];
}

function nounOf(word: string): Noun | undefined {
  const written = word.toLowerCase();
  const whole = shortKinds.get(written) ?? written;
  return nouns.find((noun) => noun === whole || `${noun}s` === whole || noun.replace(/y$/, 'ies') === whole);
}
