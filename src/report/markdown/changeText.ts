import { counted } from '../../base/text/counted.ts';
import type { ChangeDocument } from '../../change/documents/planDocument.ts';
import type { Proof } from '../../change/explain/explanation.ts';
import { visible } from '../model/visible.ts';
import { diffLines, fieldDiff } from './fieldDiff.ts';
import type { Foldable } from './fold.ts';
import { code, codes, details, fenced, htmlCode } from './inline.ts';

const longestBody = 20_000;
const mostNamed = 10;

export const symbols: Readonly<Record<ChangeDocument['action'], string>> = {
  create: '+',
  adopt: '»',
  patch: '~',
  replace: '±',
  delete: '-',
  forget: '«',
  refuse: '!',
  keep: '=',
};

/** A change in one line, with its fields, and with its patch too. */
export function changeLevels(change: ChangeDocument, proof: Proof | undefined): Foldable {
  const { action, id, risk } = change;
  const worst = risk === undefined || risk === 'none' ? '' : risk;
  const line = `- \`${symbols[action]}\` ${code(id)}${worst === '' ? '' : ` **${worst}**`}`;
  const summary = `<code>${symbols[action]}</code> ${htmlCode(id)}${worst === '' ? '' : ` <b>${worst}</b>`}`;
  const short = [fenced('diff', fieldLines(change)), facts(change, proof)].filter((text) => text !== '').join('\n\n');
  const whole = [short, ...bodies(change)].join('\n\n');
  return ['', line, details(summary, short), ...(whole === short ? [] : [details(summary, whole)])];
}

function fieldLines({ reason, intended, fields, cause }: ChangeDocument): readonly string[] {
  return diffLines([
    ...(intended === undefined ? [] : [`# would ${intended}`]),
    ...(reason === '' ? [] : [`# ${reason}`]),
    ...fields.flatMap((field) => fieldDiff(field, cause)),
  ]);
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

export function proofText({ holds, managed, untouched, against }: Proof): string {
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
