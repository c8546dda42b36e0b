import { counted } from '../../base/text/counted.ts';
import type { ChangeDocument } from '../../change/documents/planDocument.ts';
import type { ExplainedField, Explanation, Proof } from '../../change/explain/explanation.ts';
import { actionWords } from '../../change/words.ts';
import { risks } from '../../schema/facts/risk.ts';
import type { Report, ReportedPlan } from '../model/report.ts';
import { visible } from '../model/visible.ts';
import { driftTree } from '../tree/drift.ts';
import type { Section } from '../tree/tree.ts';
import type { Foldable } from './fold.ts';
import { code, codes, details, fenced, htmlCode } from './inline.ts';
import { diffOf, itemLevels } from './treeMarkdown.ts';

/** Something that is told as fully as there is room for. */
export interface DetailItem {
  readonly levels: Foldable;
  /** What it is counted as where it is not told: `to create`. */
  readonly as: string;
  /** What weighs more is told more fully. */
  readonly weight: number;
}

type DetailedReport = Pick<Report, 'plans' | 'drifts' | 'explanation'>;

/** Everything that has details, the most important of each plan first. */
export function detailItems({ plans, drifts, explanation }: DetailedReport): readonly DetailItem[] {
  return [
    ...plans.flatMap(({ document, proofs }) => changesOf(document.changes).map((change) => changeItem(change, proofs))),
    ...drifts.flatMap((drift) => itemsOf(driftTree(drift))),
    ...(explanation?.fields.map((field) => ({ levels: explanationLevels(field), as: 'fields', weight: 0 })) ?? []),
  ];
}

function itemsOf(section: Section): readonly DetailItem[] {
  return section.children().flatMap((node) => {
    return node.node === 'item' ? [{ levels: itemLevels(node), as: node.as, weight: node.weight }] : [];
  });
}

/** What is refused, then by risk; what is kept only where something is to be said of it. */
function changesOf(changes: readonly ChangeDocument[]): readonly ChangeDocument[] {
  return changes
    .filter(({ action, notes }) => action !== 'keep' || notes.length > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a));
}

function weightOf({ action, risk }: ChangeDocument): number {
  return action === 'refuse' ? risks.length : risks.indexOf(risk ?? 'none');
}

function changeItem(change: ChangeDocument, proofs: ReportedPlan['proofs']): DetailItem {
  const { todo } = actionWords[change.action];
  return { levels: changeLevels(change, proofs.get(change.id)), as: todo, weight: weightOf(change) };
}

/** What is planned for the resource, and why. */
export function explanationFacts({ resource, action, reason, owner, proof, refusals }: Explanation): string {
  return [
    `- ${code(resource)}: ${action}${reason === '' ? '' : `, ${code(reason)}`}`,
    ...(owner === undefined ? [] : [`- owner: ${code(owner)}`]),
    ...(proof === undefined ? [] : [`- ${proofText(proof)}`]),
    ...refusals.slice(0, mostRefusals).map(({ code: id, message }) => `- refused: ${code(id)} ${code(message)}`),
  ].join('\n');
}

const mostRefusals = 20;

/** Why one field is changed: in one line, and with its values and who wrote the live one. */
function explanationLevels({ path, because, declared, live, at, writer, risk }: ExplainedField): Foldable {
  const value = {
    path,
    ...(live === undefined ? {} : { old: live }),
    ...(declared === undefined ? {} : { new: declared }),
    ...(risk === undefined ? {} : { risk }),
  };
  const facts = [
    `- ${code(because)}`,
    ...(at === undefined ? [] : [`- declared at ${code(`${at.file}:${at.line}:${at.column}`)}`]),
    ...(writer === undefined || writer === null
      ? []
      : [`- live since version ${writer.version}, by ${code(writer.name)} at ${code(writer.at)}`]),
  ].join('\n');
  const body = [diffOf([value]), facts].join('\n\n');
  return ['', `- ${code(path)}: ${code(because)}`, details(htmlCode(path), body)];
}

const longestBody = 20_000;
const mostNamed = 10;

/** A change in one line, with its fields, and with its patch too. */
function changeLevels(change: ChangeDocument, proof: Proof | undefined): Foldable {
  const { action, id, risk } = change;
  const worst = risk === undefined || risk === 'none' ? '' : risk;
  const line = `- \`${actionWords[action].sign}\` ${code(id)}${worst === '' ? '' : ` **${worst}**`}`;
  const summary = `<code>${actionWords[action].sign}</code> ${htmlCode(id)}${worst === '' ? '' : ` <b>${worst}</b>`}`;
  const short = [fieldsOf(change), facts(change, proof)].filter((text) => text !== '').join('\n\n');
  const whole = [short, ...bodies(change)].join('\n\n');
  return ['', line, details(summary, short), ...(whole === short ? [] : [details(summary, whole)])];
}

function fieldsOf({ reason, intended, fields, cause }: ChangeDocument): string {
  const before = [
    ...(intended === undefined ? [] : [`# would ${intended}`]),
    ...(reason === '' ? [] : [`# ${reason}`]),
  ];
  return diffOf(fields, before, cause);
}

function facts(change: ChangeDocument, proof: Proof | undefined): string {
  const { place, via, cascadesTo, victims = [], losesData = [], notes, waitsFor = [] } = change;
  const at = place === undefined ? [] : [`declared at ${code(`${place.file}:${place.line}:${place.column}`)}`];
  return [
    ...at,
    ...(via === undefined ? [] : [`goes along with ${code(via)}`]),
    ...(cascadesTo.length === 0 ? [] : [`deletes along with it ${codes(cascadesTo, mostNamed)}`]),
    ...(losesData.length === 0 ? [] : [`loses the data of ${codes(losesData, mostNamed)}`]),
    ...(victims.length === 0 ? [] : [`affects ${codes(victims, mostNamed)}, which belong to others`]),
    ...(waitsFor.length === 0 ? [] : [`waits for ${codes([...new Set(waitsFor.map(({ on }) => on))], mostNamed)}`]),
    ...(proof === undefined ? [] : [proofText(proof)]),
    ...notes.map((note) => `note: ${code(note)}`),
  ]
    .map((fact) => `- ${fact}`)
    .join('\n');
}

function proofText({ holds, managed, untouched, against }: Proof): string {
  if (!holds) return `**not proven**: it would change ${codes(against, mostNamed)} too`;
  return `proven: ${counted(managed, 'managed field')} as declared, ${counted(untouched, 'other')} unchanged`;
}

/** The bodies of PATCH requests; sensitive values are masked in them. */
function bodies({ patch, then }: ChangeDocument): readonly string[] {
  const named = [
    ['PATCH', patch],
    ['then PATCH', then],
  ] as const;
  return named.flatMap(([title, body]) => {
    if (body === undefined) return [];
    const text = JSON.stringify(body, null, 2);
    if (text.length > longestBody) return [`${title}: a body of ${text.length} characters`];
    return [`${title}\n\n${fenced('json', text.split('\n').map(visible))}`];
  });
}
