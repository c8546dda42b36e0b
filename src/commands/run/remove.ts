import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { firstLines } from '../../base/text/firstOf.ts';
import { type ErrorCause, ToolError } from '../../base/toolError.ts';
import { hasKeys } from '../../kinds/kindFacts.ts';
import { wordsOf } from '../../kinds/kindWords.ts';
import { flagOf } from '../../plan/model/permits.ts';
import { unlisted } from '../../plan/model/refusal.ts';
import { type StillNeeded, stillNeeded } from '../../plan/references/needs.ts';
import { type GvcScopedKind, isContainer, type Kind } from '../../schema/record/kinds.ts';
import { formatRef, lastSegment, type Ref } from '../../schema/record/ref.ts';
import { ask, askFor, noTerminal } from '../../terminal/ask.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { printable } from '../../terminal/printable.ts';
import type { Api } from '../call/api.ts';
import type { Call } from '../call/command.ts';
import { kindOf } from '../call/input.ts';
import { itemOf, openItem } from '../call/item.ts';
import { pathOf } from '../call/paths.ts';
import { showDone } from '../call/present.ts';
import { argumentRefs } from '../call/refs.ts';
import { unlessGone } from './audit.ts';
import { eachOf, severalFailed } from './get.ts';

const nothingNeeded: StillNeeded = { needs: [], gaps: new Map() };

/** Above this number, records are only counted. */
const mostNamed = 20;

/** The kinds of which it is not known whether they need a deleted record. */
function gapLines({ gaps }: StillNeeded): readonly string[] {
  return [...gaps].map(([kind, why]) => `not known: which ${wordsOf(kind).plural} need it (${why})`);
}

/** `workload/shop/web needs it at spec.…`; the record's id replaces "it" if it is deleted with the first one. */
function needLines(found: StillNeeded, [first, ...along]: readonly [Ref, ...Ref[]]): readonly string[] {
  if (found.needs.length === 0) return [];
  const it = formatRef(first);
  const gone = new Set([it, ...along.map(formatRef)]);
  const lines = found.needs
    .filter(({ on }) => gone.has(on))
    .map(({ by, on, path }) => `${by} needs ${on === it ? 'it' : on} at ${path}`);
  return firstLines(lines, mostNamed, 'references to it');
}

/** The number of records with a dangling reference; its permit names this number. */
function losing({ needs: found }: StillNeeded): number {
  return new Set(found.map(({ by }) => by)).size;
}

/** The option beside `--yes`, such as ` --allow-dangling=2`. */
function permitFor(found: StillNeeded): string {
  return found.needs.length === 0 ? '' : ` ${flagOf('allowDangling', losing(found))}`;
}

/**
 * Errors: `delete.referenced` if the platform would refuse it, or if there is no prompt and the exact number is not
 * permitted.
 */
function refuseNeeded({ given }: Call, found: StillNeeded): void {
  const blocking = found.needs.filter(({ blocks }) => blocks);
  const isAllowed = given.isWritten('allowDangling')
    ? given.count('allowDangling') === losing(found)
    : !given.flag('yes');
  const refused = blocking.length > 0 ? blocking : isAllowed ? [] : found.needs;
  if (refused.length === 0) return;
  const lines = refused.map(({ by, on, path }) => `${by} needs ${on} at ${path}`);
  throw new ToolError({
    code: 'delete.referenced',
    message: `${firstLines(lines, mostNamed, 'references').join('; ')}; nothing was deleted`,
    hint:
      blocking.length > 0
        ? 'Take these references away first.'
        : `Take these references away first, or add${permitFor(found)}: that many records would lose something that they need to run.`,
  });
}

/** In the order in which a forced deletion of a GVC deletes them (platform/clients.kinds). */
const inGvc: readonly GvcScopedKind[] = ['workload', 'volumeset', 'identity'];

/** Something that is deleted together with a record. */
interface Along {
  /** Its kind: `workload`, `volume`, `key`. */
  readonly of: string;
  /** In words: `workload api`, `volume 0 in aws-eu-central-1 with 10 GB`. */
  readonly text: string;
}

/** Above this number they are counted by kind, because a list of thousands would hide the rest of the output. */
const mostShown = 20;

function linesOf(along: readonly Along[]): readonly string[] {
  if (along.length <= mostShown) return along.map(({ text }) => text);
  return [...Map.groupBy(along, ({ of }) => of)].flatMap(([of, alike]) => {
    const more = alike.length - mostShown;
    const shown = alike.slice(0, mostShown).map(({ text }) => text);
    return more <= 0 ? shown : [...shown, counted(more, `more ${of}`)];
  });
}

/** A record to delete, and what is deleted with it. */
interface Victim {
  readonly ref: string;
  /** The record itself, and the content of a GVC. */
  readonly gone: readonly [Ref, ...Ref[]];
  readonly path: string;
  readonly along: readonly Along[];
  /** The paths of the content of a GVC. */
  readonly content: readonly string[];
}

/** `delete REF…`: shows what is deleted, prompts, and deletes the records in turn. */
export async function runDelete(call: Call): Promise<Ending> {
  const api = await call.open();
  const kind = kindOf(call);
  const causes: ErrorCause[] = [];
  const refs = argumentRefs(call, api);
  const isForced = isContainer(kind) && call.given.flag('force');
  const victims = await eachOf(call, causes, refs, (ref, index) =>
    victimOf(api, ref, call.args[index] ?? ref.name, isForced),
  );
  if (victims.length > 0) {
    const gone = victims.flatMap((victim) => victim.gone);
    const needed = await stillNeeded(api.org, gone, (wanted) => api.records(wanted));
    const lines = victims.flatMap(({ ref, along, gone }) => [
      `delete ${kind} ${ref}`,
      ...linesOf(along).map((each) => `  with ${each}`),
      ...needLines(needed, gone).map((each) => `  ${each}`),
    ]);
    const holding = victims.filter(({ along }) => isContainer(kind) && along.some(({ of }) => of === 'volume'));
    const what = victims.length === 1 ? `${kind} ${victims[0]?.ref}` : counted(victims.length, kind);
    await confirm(call, lines, { act: `Delete ${what}`, needed, names: holding.map(({ gone: [{ name }] }) => name) });
  }
  const deleted = await eachOf(call, causes, victims, async (victim) => {
    await (isForced ? deleteWithContent(api, victim) : api.delete(victim.path));
    return victim.ref;
  });
  const text = deleted.map((ref) => `Deleted ${kind} '${printable(ref)}'`).join('\n');
  if (deleted.length > 0) showDone(call, { text, names: deleted, document: { deleted } });
  return severalFailed(causes, refs.length, 'could not be deleted') ?? exitCode.ok;
}

/** `gvc delete-all-workloads REF`. */
export async function runDeleteWorkloads(call: Call): Promise<Ending> {
  const { api, ref, read } = await openItem(call);
  await read();
  const { records, gaps } = await contentOf(api, ref.name, ['workload']);
  if (gaps.size > 0) {
    throw notListed(ref.name, gaps, `Delete them by name: gantry workload delete NAME --gvc ${ref.name}.`);
  }
  if (records.length === 0) {
    const text = `No workloads in the GVC ${printable(ref.name)}.`;
    showDone(call, { text, names: [], document: { deleted: [] } });
    return exitCode.ok;
  }
  const gone = records.map((workload) => workload.ref);
  const needed = await stillNeeded(api.org, gone, (wanted) => api.records(wanted));
  const lines = linesOf(gone.map(({ name }) => ({ of: 'workload', text: `workload ${name}` })));
  await confirm(
    call,
    [...lines.map((each) => `delete ${each}`), ...needLines(needed, [{ kind: 'gvc', name: ref.name }, ...gone])],
    { act: `Delete ${counted(gone.length, 'workload')} of ${ref.name}`, needed },
  );
  const causes: ErrorCause[] = [];
  const deleted = await eachOf(call, causes, gone, async (workload) => {
    await api.delete(pathOf(api, workload));
    return pathOf(api, workload);
  });
  const text = deleted.map((link) => `Deleted ${printable(link)}`).join('\n');
  if (deleted.length > 0) showDone(call, { text, names: deleted.map(lastSegment), document: { deleted } });
  return severalFailed(causes, gone.length, 'could not be deleted') ?? exitCode.ok;
}

/** A question that the user must confirm. */
interface Question {
  /** Such as `Delete 2 workloads`. */
  readonly act: string;
  /** The references from records that remain. */
  readonly needed?: StillNeeded;
  /** The names of GVCs with data, each of which must be typed. */
  readonly names?: readonly string[];
}

/** Errors: `delete.not-confirmed`, `delete.referenced`. */
export async function confirm(call: Call, lines: readonly string[], question: Question): Promise<void> {
  const { act, needed = nothingNeeded, names = [] } = question;
  const { given, context } = call;
  const { terminal } = context;
  const asText = (of: readonly string[]) => of.map((line) => printable(line)).join('\n');
  const notKnown = gapLines(needed);
  const text = asText([...lines, ...notKnown]);
  refuseNeeded(call, needed);
  if (given.flag('yes')) {
    if (notKnown.length > 0) terminal.message(asText(notKnown));
    return;
  }
  terminal.message(text);
  if (!terminal.canAsk) {
    throw new ToolError({
      code: 'delete.not-confirmed',
      message: `${noTerminal}; nothing was changed`,
      hint: `Check what is listed above, then add --yes${permitFor(needed)}.`,
    });
  }
  const isMeant =
    names.length === 0
      ? await ask(`\n${printable(act)}? (yes/no) `)
      : await askFor(names, (name) => `\n${printable(name)} holds data, which is lost. Type its name to delete it: `);
  if (isMeant) return;
  throw new ToolError({ code: 'delete.not-confirmed', message: 'not confirmed; nothing was changed' });
}

async function victimOf(api: Api, target: Ref, ref: string, isForced: boolean): Promise<Victim> {
  const path = pathOf(api, target);
  const record = await itemOf(api, target).read();
  if (!isContainer(target.kind)) return { ref, gone: [target], path, along: keptIn(record), content: [] };
  const { records, gaps } = await contentOf(api, target.name, inGvc);
  if (gaps.size > 0 && !isForced) {
    const hint = `gantry gvc delete ${target.name} --force deletes it with everything that it holds.`;
    throw notListed(target.name, gaps, hint);
  }
  return {
    ref,
    gone: [target, ...records.map((child) => child.ref)],
    path,
    along: [
      ...records.flatMap(({ ref: { kind, name }, record: child }) => [
        { of: kind, text: `${kind} ${name}` },
        ...keptIn(child).map((kept) => ({ of: kept.of, text: `${kept.text} of ${name}` })),
      ]),
      ...[...gaps].map(([kind]) => ({ of: kind, text: `every ${kind} that the platform does not list` })),
    ],
    content: records.map((child) => pathOf(api, child.ref)),
  };
}

/** The records of a GVC, in the order of the kinds, and the kinds that may have more. */
async function contentOf(api: Api, gvc: string, kinds: readonly GvcScopedKind[]): ReturnType<Api['records']> {
  const { records, gaps } = await api.records(kinds.map((kind) => ({ kind, gvc })));
  return { records: records.filter(({ ref }) => ref.gvc === gvc), gaps };
}

function notListed(gvc: string, gaps: ReadonlyMap<Kind, string>, hint: string): ToolError {
  const message = `it is not known what is in the GVC ${gvc}: ${unlisted(gaps)}; nothing was deleted`;
  return new ToolError({ code: 'delete.closure-unknown', message, hint });
}

/** Parts of a record that cannot be created again: volumes of a volume set, keys of a service account. */
function keptIn(record: JsonObject): readonly Along[] {
  const volumes = listAt(objectAt(record, 'status'), 'locations')
    .filter(isObject)
    .flatMap((location) =>
      listAt(location, 'volumes')
        .filter(isObject)
        .map((volume) => {
          const size = numberAt(volume, 'currentSize');
          const where = `volume ${numberAt(volume, 'index') ?? 0} in ${stringAt(location, 'name') ?? ''}`;
          return { of: 'volume', text: size === undefined ? where : `${where} with ${size} GB` };
        }),
    );
  const isAccount = hasKeys(stringAt(record, 'kind'));
  const keys = isAccount ? listAt(record, 'keys').filter(isObject) : [];
  return [...volumes, ...keys.map((key) => ({ of: 'key', text: `the key ${stringAt(key, 'name') ?? ''}` }))];
}

const pauseMs = 500;
const mostLooks = 10;

/**
 * Deletes workloads, volume sets and identities, in this order, then the GVC. The first two are waited for: the next may
 * require it. Errors: `apply.partly` if something was deleted before.
 */
async function deleteWithContent(api: Api, { content, path: gvc, ref }: Victim): Promise<void> {
  let deleted = 0;
  try {
    for (const path of content) {
      await api.send('DELETE', path).catch(unlessGone);
      deleted += 1;
      if (path.includes('/identity/')) continue;
      for (let look = 0; look < mostLooks && (await isThere(api, path)); look += 1) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
    await api.delete(gvc);
  } catch (error) {
    if (deleted === 0 || !(error instanceof ToolError) || error.code === 'cli.interrupted') throw error;
    throw new ToolError({
      code: 'apply.partly',
      message: `${deleted} of ${counted(content.length, 'record')} in the GVC ${ref} were deleted, and then: ${error.message}`,
      ...present({ hint: error.hint }),
      cause: error,
    });
  }
}

async function isThere(api: Api, path: string): Promise<boolean> {
  try {
    await api.get(path);
    return true;
  } catch (error) {
    unlessGone(error);
    return false;
  }
}
