import { isObject, type JsonObject, objectAt, own } from '../src/base/json/json.ts';
import { compact } from '../src/base/json/present.ts';
import type { Attribute } from '../src/hcl/attribute.ts';
import { counterpartsOf, destinationOf } from '../src/hcl/migration/counterparts.ts';
import type { Names } from '../src/hcl/migration/names.ts';

/** An attribute or block of another provider that this one lacks in the same form. */
export interface Difference {
  readonly type: string;
  /** Empty for the type itself. */
  readonly path: string;
  readonly form: string;
  /** Its counterpart; undefined if there is none. */
  readonly here: string | undefined;
}

/**
 * The attributes that a provider has (the output of `terraform providers schema -json`) and this one lacks, or has in
 * another form. Names are compared as in a migration.
 */
export function compareSchemas(printed: JsonObject, names: Names): readonly Difference[] {
  const counterpart = counterpartsOf(names);
  const schemas = Object.values(objectAt(printed, 'provider_schemas')).filter(isObject);
  return (['resource', 'data'] as const).flatMap((is) =>
    schemas.flatMap((schema) =>
      Object.entries(objectAt(schema, is === 'resource' ? 'resource_schemas' : 'data_source_schemas'))
        .filter(([type]) => type.startsWith(`${names.prefix}_`))
        .flatMap(([type, described]): readonly Difference[] => {
          const name = is === 'data' ? `data.${type}` : type;
          const found = counterpart(type, is);
          if (found === undefined) return [{ type: name, path: '', form: 'type', here: undefined }];
          const block = isObject(described) ? objectAt(described, 'block') : {};
          return compact(membersOf(block), ({ path, form }): Difference | undefined => {
            const to = destinationOf(found, path);
            const around = path.length === 1 ? undefined : destinationOf(found, path.slice(0, -1));
            if (around === null || (path.length > 1 && (around === undefined || 'type' in around.attribute)))
              return undefined; // reported
            if (to === null || to === undefined) return { type: name, path: path.join('.'), form, here: undefined };
            const here = formOf(to.attribute);
            return here === form
              ? undefined
              : { type: name, path: path.join('.'), form, here: `${to.path.join('.')}: ${here}` };
          });
        }),
    ),
  );
}

interface Member {
  readonly path: readonly string[];
  readonly form: string;
}

/** The attributes and blocks of a block, at every depth. */
function membersOf(block: JsonObject, around: readonly string[] = []): readonly Member[] {
  const attributes = Object.entries(objectAt(block, 'attributes')).flatMap(([name, described]) => {
    const attribute = isObject(described) ? described : {};
    const path = [...around, name];
    const nested = own(attribute, 'nested_type');
    if (isObject(nested)) return [{ path, form: 'blocks' }, ...membersOf(nested, path)];
    return [{ path, form: formOfType(own(attribute, 'type')) }];
  });
  const blocks = Object.entries(objectAt(block, 'block_types')).flatMap(([name, described]) => {
    const path = [...around, name];
    const inner = isObject(described) ? objectAt(described, 'block') : {};
    return [{ path, form: 'blocks' }, ...membersOf(inner, path)];
  });
  return [...attributes, ...blocks];
}

/** Lists and sets are written alike, and so are one block and several. */
function formOfType(type: unknown): string {
  if (!Array.isArray(type)) return String(type);
  const [outer, inner] = type;
  const isObjects = outer === 'object' || (Array.isArray(inner) && inner[0] === 'object');
  return isObjects ? 'blocks' : outer === 'map' ? 'map' : 'list';
}

function formOf(attribute: Attribute): string {
  return 'type' in attribute ? formOfType(attribute.type) : 'blocks';
}

/** As a Markdown table. */
export function comparisonTable(differences: readonly Difference[]): string {
  const rows = differences.map(
    ({ type, path, form, here }) =>
      `| \`${type}\` | ${path === '' ? '' : `\`${path}\``} | ${form} | ${here ?? 'nothing'} |`,
  );
  return ['| There | Attribute | Form | Here |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}
