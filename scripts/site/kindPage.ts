import { type SnippetFormat, snippet, usualNames } from '../../src/cli/commands/add/snippet.ts';
import {
  type DescribedField,
  describedFields,
  describedSecretData,
  plain,
} from '../../src/kinds/published/describedFields.ts';
import { descriptionOf, descriptionsOfSecretData } from '../../src/kinds/published/descriptions.ts';
import { allTypes, typeOfKind } from '../../src/kinds/published/words/allTypes.ts';
import { envelope } from '../../src/schema/fields/common.ts';
import { secretData } from '../../src/schema/fields/secret.ts';
import { type CreatableKind, isCreatableKind, type KnownKind } from '../../src/schema/record/kinds.ts';
import { defaultText, propertiesOf } from '../reference/fieldTable.ts';
import { typeText } from '../reference/typeText.ts';
import { anchorOf, codeBlock, escaped, htmlTable, inline } from './html.ts';
import { type Page, relativePath } from './page.ts';

/** Where a section of the reference is in the site, by its id: a path with an anchor. */
export type Sections = ReadonlyMap<string, string>;

/** One kind: how it is declared, in both languages side by side, and every field of it. */
export async function kindPage(kind: KnownKind, sections: Sections): Promise<Page> {
  const type = allTypes[typeOfKind[kind]];
  const fields = describedFields(kind);
  const own = fields.filter(({ path }) => !Object.hasOwn(envelope, path.split('.')[0] ?? ''));
  const common = fields.filter((field) => !own.includes(field));
  const body = [
    `<h1>${kind}</h1>`,
    `<p>${inline(type?.about ?? '')} ${reference(kind)}</p>`,
    isCreatableKind(kind) ? await example(kind) : '<p>The platform makes these records; no manifest declares one.</p>',
    section('Fields', own.length === 0 ? '<p>None beside those that every record has.</p>' : fieldTable(own, sections)),
    kind === 'secret' ? secretSection(sections) : '',
    section('Fields of every record', fieldTable(common, sections)),
  ];
  return { path: `kinds/${kind}.html`, title: kind, part: 'Kinds', body: body.join('\n') };
}

function reference(kind: KnownKind): string {
  return `Behaviour, rules and endpoints: <a href="../platform/kinds/${kind}.html">the reference of the platform</a>.`;
}

function section(title: string, body: string): string {
  return `<h2 id="${anchorOf(title)}">${title}</h2>\n${body}`;
}

/** What `gantry add` writes. */
async function example(kind: CreatableKind): Promise<string> {
  const { [kind]: name, gvc } = usualNames;
  const column = async (title: string, format: SnippetFormat) =>
    `<div><h3>${title}</h3>\n${codeBlock(await snippet(kind, name, format, gvc), format)}</div>`;
  const both = [await column('Manifest', 'yaml'), await column('TypeScript', 'ts')];
  const words = `<p><code>gantry add ${kind}</code> writes it.</p>`;
  return `${section('Example', words)}\n<div class="beside">\n${both.join('\n')}\n</div>`;
}

function secretSection(sections: Sections): string {
  const tables = Object.entries(secretData).map(([type, definition]) => {
    const fields = describedSecretData(type);
    const words = descriptionsOfSecretData(type).get('') ?? '';
    const node = plain(definition);
    const whole = `<p>${inline(words)} ${fields.length === 0 ? inline(`It is ${typeText(node, {})}.`) : ''}</p>`;
    return `<h3 id="data-${escaped(type)}">${escaped(type)}</h3>\n${whole}\n${fields.length === 0 ? '' : fieldTable(fields, sections)}`;
  });
  return section('Data by type', tables.join('\n'));
}

function fieldTable(fields: readonly DescribedField[], sections: Sections): string {
  return htmlTable(
    ['Field', 'Values', 'Default', 'Properties', 'Meaning'],
    fields.map((field) => [
      `<code id="${escaped(`field-${field.path}`)}">${escaped(field.path)}</code>`,
      inline(typeText(field.node, field.facts)),
      inline(defaultText(field.facts)),
      inline(propertiesOf(field)),
      `${inline(descriptionOf(field.words))} ${sectionLink(field.section, sections, `kinds/`)}`.trim(),
    ]),
  );
}

/** To a section of the reference, such as `workload.ports`. */
export function sectionLink(id: string, sections: Sections, from: string): string {
  const target = sections.get(id);
  if (target === undefined) return '';
  return `<a class="section" href="${escaped(relativePath(from, target))}">${escaped(id)}</a>`;
}
