import type { JsonValue } from '../../../base/json/json.ts';
import { counted } from '../../../base/text/counted.ts';
import { firstLines } from '../../../base/text/firstOf.ts';
import type {
  ExplainedChoice,
  ExplainedField,
  ExplainedRequest,
  ExplainedWay,
  Explanation,
} from '../../../change/explain/explanation.ts';
import { type Reason, reasons, sentences } from '../../../change/explain/reasons.ts';
import { actionWords } from '../../../change/words.ts';
import type { WrittenBy } from '../../../manifest/live/writer.ts';
import { formatPosition } from '../../../manifest/model/renderProblem.ts';
import type { SensitiveValue } from '../../../patch/show/fieldChanges.ts';
import type { Refusal } from '../../../plan/model/change.ts';
import { isHidden } from '../../../plan/model/fieldChange.ts';
import { refusalNode } from '../../../report/tree/tree.ts';
import type { Palette } from '../../../terminal/palette.ts';
import { printable, renderValue, wholeValue } from '../../../terminal/printable.ts';
import { cutPair } from '../../planText/cutPair.ts';
import type { FieldLook } from '../../planText/fieldText.ts';
import { renderProblem } from '../../planText/treeText.ts';

/** Whether a path was asked for: then only what concerns it is shown. */
export interface ExplainLook {
  readonly palette: Palette;
  readonly path: string | undefined;
}

/** The explanation for people. */
export function renderExplanation(explanation: Explanation, look: ExplainLook): string {
  const isWhole = look.path === undefined;
  const blocks: readonly (readonly string[])[] = [
    head(explanation, look.palette),
    ...(isWhole ? [requests(explanation.requests, look.palette), proof(explanation, look.palette)] : []),
    fields(explanation, look),
    choices(explanation.choices, look.palette),
    ...(isWhole ? [equal(explanation, look.palette), surroundings(explanation, look)] : []),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function head(explanation: Explanation, palette: Palette): readonly string[] {
  const { action, intended, reason, liveVersion, owner, at, risk } = explanation;
  const { sign, tone, will } = actionWords[action];
  const version = liveVersion === undefined ? '' : palette.faint(` (version ${liveVersion})`);
  const what = intended === undefined ? will : `${will} (it would be: ${intended})`;
  return [
    `${palette[tone](sign)} ${palette.strong(printable(explanation.resource))}${version} ${what}`,
    ...(reason === '' ? [] : [`  why: ${printable(reason)}`]),
    ...(at === undefined ? [] : [`  declared at ${printable(formatPosition(at))}`]),
    ...(owner === undefined ? [] : [`  owned by ${printable(owner)}`]),
    ...(risk === undefined ? [] : [`  risk: ${risk}`]),
  ];
}

function requests(sent: readonly ExplainedRequest[], palette: Palette): readonly string[] {
  if (sent.length === 0) return [];
  return [
    palette.strong('What is sent'),
    ...sent.flatMap(({ method, then, body }) => {
      const verb = then === true ? `then ${method}` : method;
      if (body === undefined) return [`  ${verb}`];
      const [first = '', ...rest] = JSON.stringify(body, null, 2).split('\n');
      return [`  ${verb} ${printable(first)}`, ...rest.map((line) => `  ${printable(line)}`)];
    }),
  ];
}

function proof({ proof: proven }: Explanation, palette: Palette): readonly string[] {
  if (proven === undefined) return [];
  const { holds, managed, untouched, against } = proven;
  const declared = `${holds ? 'all' : 'only'} ${counted(managed, 'managed field')}`;
  const stays = untouched === 1 ? 'stays as it is' : 'stay as they are';
  return [
    palette.strong('Proof'),
    `  Applied to the live copy by the rules of the platform, the patch produces the declared values of ${declared}.`,
    `  ${counted(untouched, 'field')} that this stack does not manage ${stays}.`,
    ...against.map((path) => palette.refuse(`  Contradicted by: ${printable(path)}`)),
  ];
}

function fields({ fields: found, action }: Explanation, { palette, path }: ExplainLook): readonly string[] {
  if (found.length === 0) return action === 'keep' ? [palette.strong('Nothing differs.')] : [];
  return [
    palette.strong(path === undefined ? 'What differs' : 'Fields'),
    ...found.flatMap((field) => block(field, palette)),
  ];
}

/** A field with both values, each with where it comes from. */
function block(field: ExplainedField, palette: Palette): readonly string[] {
  const { path, why, because, declared, at, live, before, means, writer, risk } = field;
  const sign = why !== 'differs' ? '=' : live === undefined ? '+' : declared === undefined ? '-' : '~';
  const paint =
    sign === '+' ? palette.add : sign === '-' ? palette.remove : sign === '~' ? palette.change : palette.faint;
  const place = at === undefined ? '' : palette.faint(`  ${printable(formatPosition(at))}`);
  const risky = risk === undefined || risk === 'none' ? '' : palette.faint(`  (risk: ${risk})`);
  const shown = cutPair(show(declared ?? '', wholeValue), show(live ?? '', wholeValue));
  return [
    `  ${paint(sign)} ${printable(path)}${risky}`,
    ...(declared === undefined ? [] : [`      declared  ${shown.old}${place}`]),
    ...(live === undefined ? [] : [`      live      ${shown.next}${written(writer, palette)}`]),
    ...(before === undefined ? [] : [`      before    ${show(before)}`]),
    ...(live === undefined && writer !== undefined && writer !== null
      ? [`      removed   ${palette.faint(nameOf(writer))}`]
      : []),
    ...(means === undefined ? [] : [`      left out  means ${show(means)}`]),
    `      ${palette.faint(because)}`,
  ];
}

function written(writer: WrittenBy | null | undefined, palette: Palette): string {
  if (writer === undefined) return '';
  if (writer === null) return palette.faint('  last writer unknown');
  return palette.faint(`  last written ${nameOf(writer)}`);
}

function nameOf({ name, version, at }: WrittenBy): string {
  return `by ${printable(name)} at ${printable(at)}, version ${version}`;
}

function show(value: JsonValue | SensitiveValue, render = renderValue): string {
  return isHidden(value) ? '(sensitive)' : render(value);
}

function choices(found: readonly ExplainedChoice[], palette: Palette): readonly string[] {
  if (found.length === 0) return [];
  return [
    palette.strong('Ways to write the patch'),
    ...found.flatMap(({ path, then, chosen, rejected, impossible }) => [
      `  ${printable(path)}${then === true ? ' (second step)' : ''}`,
      `    ${palette.add('✓')} ${way(chosen)}`,
      ...rejected.map((each) => palette.faint(`      ${way(each)}`)),
      ...impossible.map(({ directives, because }) =>
        palette.faint(`    ✗ ${directives.map(printable).join(', ')}: ${because}`),
      ),
    ]),
  ];
}

function way({ entries, leaves, bytes }: ExplainedWay): string {
  const size = bytes === undefined ? '' : `, ${counted(bytes, 'byte')}`;
  return `${entries.map(printable).join(' + ')}: ${counted(leaves, 'changed leaf', 'changed leaves')}${size}`;
}

/** More fields than these of one verdict are counted only. */
const mostNamed = 8;

function equal({ equal: found, counts }: Explanation, palette: Palette): readonly string[] {
  const others = reasons.filter((why) => found.some((field) => field.why === why));
  const same = (counts.same ?? 0) + (counts['platform'] ?? 0);
  if (others.length === 0 && same === 0) return [];
  return [
    palette.strong('What does not differ, and why'),
    ...(counts.same === undefined ? [] : [`  ${counted(counts.same, 'field')}: ${sentences.same}`]),
    ...(counts.platform === undefined ? [] : [`  ${counted(counts.platform, 'field')}: ${sentences.platform}`]),
    ...others.flatMap((why) =>
      group(
        why,
        found.filter((field) => field.why === why),
        palette,
      ),
    ),
  ];
}

function group(why: Reason, found: readonly ExplainedField[], palette: Palette): readonly string[] {
  return [
    `  ${counted(found.length, 'field')}: ${sentences[why]}`,
    ...firstLines(found.map(inOneLine), mostNamed).map((line) => palette.faint(`      ${line}`)),
  ];
}

function inOneLine({ path, declared, live, means, at }: ExplainedField): string {
  const sides = [
    ...(declared === undefined
      ? []
      : [`declared ${show(declared)}${at === undefined ? '' : ` (${printable(formatPosition(at))})`}`]),
    ...(live === undefined ? [] : [`live ${show(live)}`]),
    ...(means === undefined || (declared !== undefined && live !== undefined) ? [] : [`left out means ${show(means)}`]),
  ];
  return `${printable(path)}  ${sides.join(', ')}`;
}

function surroundings(explanation: Explanation, { palette }: ExplainLook): readonly string[] {
  const look: FieldLook = { palette, lineDiff: undefined, width: Number.POSITIVE_INFINITY };
  const { waitsFor, takesAlong, hits = [], renamedFrom, via, refusals, notes } = explanation;
  const lines = [
    ...(via === undefined ? [] : [`Deleted together with ${printable(via)}, without a request of its own.`]),
    ...(renamedFrom === undefined
      ? []
      : [`Replaces ${printable(renamedFrom)}, which is deleted once this resource exists.`]),
    ...hits.map((id) => palette.remove(`affects ${printable(id)} of another owner`)),
    ...takesAlong.map(({ id, owner }) => palette.remove(`also deletes ${printable(id)}, owned by ${printable(owner)}`)),
    ...waitsFor.map(({ on, because }) => `waits for ${printable(on)}: ${printable(because)}`),
    ...refusals.flatMap((refusal: Refusal) => renderProblem(refusalNode(refusal), look)),
    ...notes.map((note) => `note: ${printable(note)}`),
  ];
  return lines.length === 0 ? [] : [palette.strong('Related resources and notes'), ...lines.map((line) => `  ${line}`)];
}
