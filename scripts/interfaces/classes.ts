import { constructWords } from '../../src/kinds/allTypes.ts';
import type { Sheets } from '../../src/kinds/common/sheet.ts';
import { describedFields } from '../../src/kinds/describedFields.ts';
import { aKind } from '../../src/kinds/kindWords.ts';
import { sheets } from '../../src/kinds/list.ts';
import { type CreatableKind, creatableKinds, isGvcScoped } from '../../src/schema/record/kinds.ts';
import { hasLists } from './lists.ts';
import { comment } from './typeText.ts';

/** The construct of each kind without a handwritten one in `constructs/kinds`: the text of a TypeScript module. */
export function classesText(isByHand: (className: string) => boolean): string {
  const plain = creatableKinds.filter((kind) => !isByHand(sheets[kind].className));
  const imported = (names: readonly string[]) => names.toSorted().join(', ');
  const props = plain.flatMap((kind) => (sheetOf(kind).props === undefined ? [] : [`${sheets[kind].className}Props`]));
  const lists = plain.filter(hasLists).map((kind) => `${sheets[kind].className}Lists`);
  return `// Generated from the sheets of kinds by scripts/generate.ts. Its words are in src/kinds/*/published.ts.

import type { Construct } from 'constructs';
import type { ${imported(props)} } from '../../generated/interfaces/props.ts';
import { Existing } from '../existing.ts';
import { GrantableResource } from '../grantable.ts';
import { ownFields } from '../ownFields.ts';
import type { ResourceProps } from '../resource.ts';
import type { GvcOption } from '../target.ts';
import type { LinkTo } from '../references.ts';
import { ${imported(lists)} } from './lists.ts';

${plain.map(classText).join('\n')}`;
}

function sheetOf<K extends CreatableKind>(kind: K): Sheets[K] {
  return sheets[kind];
}

/** Errors: the props have several forms, which need a handwritten class. */
function classText(kind: CreatableKind): string {
  const { className, props, discriminator }: Sheets[CreatableKind] = sheetOf(kind);
  if (discriminator !== undefined)
    throw new Error(`${kind} has props of several forms: write its class into constructs/kinds`);
  const given = props === undefined ? 'ResourceProps' : `${className}Props`;
  const content = { none: '{}', record: 'ownFields(props)', spec: '{ spec: ownFields(props) }' }[props ?? 'none'];
  const existing = `${aKind(kind)[0]?.toUpperCase()}${aKind(kind).slice(1)} that exists without this stack`;
  const inGvc = isGvcScoped(kind);
  return `${comment([constructWords(kind)])}export class ${className} extends ${hasLists(kind) ? `${className}Lists` : `GrantableResource<'${kind}'>`} {
  constructor(scope: Construct, id: string, props: ${given}${needsProps(kind) ? '' : ' = {}'}) {
    super(scope, id, '${kind}', props, ${content});
  }

${comment([`${existing}.${inGvc ? ' `gvc`: where the scope is not in it. Errors: `stack.scope`.' : ''}`], '  ')}  static fromName(scope: Construct, id: string, name: string${inGvc ? ', { gvc }: GvcOption = {}' : ''}): Existing<'${kind}'> {
    return new Existing(scope, id, { kind: '${kind}', name${inGvc ? ', gvc' : ''} });
  }

${comment([`${existing}, by its link. Errors: \`stack.link\`.`], '  ')}  static fromLink(scope: Construct, id: string, link: LinkTo<'${kind}'>): Existing<'${kind}'> {
    return new Existing(scope, id, { kind: '${kind}', link });
  }
}
`;
}

/** Whether a record needs more than a name. */
function needsProps(kind: CreatableKind): boolean {
  const { props }: Sheets[CreatableKind] = sheetOf(kind);
  const own = props === 'spec' ? /^spec\.\w+$/ : /^(?!name$|kind$)\w+$/;
  return props !== undefined && describedFields(kind).some(({ path, required }) => required && own.test(path));
}
