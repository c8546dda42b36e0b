import { isArray, isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { holdsSensitive } from '../../schema/shape/anywhere.ts';
import { formatPath, itemName, matchPath, quoted, shapeAt } from '../../schema/shape/paths.ts';
import { fieldShape, type ObjectShape, type Shape } from '../../schema/shape/shape.ts';

/** Suffixes of the path of an image that is declared with its digest, or with its registry. */
export const withDigest = '@';
export const withRegistry = '//';

/** Suffix of the path of a list whose items have no key: declared values inside them are not recorded. */
export const insideItems = '.*';

/** Fields that are ours, or recorded in another way. */
const recordedElsewhere: ReadonlySet<string> = new Set(['name', 'tags']);

/**
 * The paths that a record declares, down to the values that a plan compares as one. `after`: the record after the
 * write; its values under `ignore` count as declared, because a user may have set them.
 */
export function declaredPaths(
  shape: ObjectShape,
  record: JsonObject,
  ignore: readonly string[],
  after: JsonObject,
): readonly string[] {
  const paths: string[] = [];
  for (const [name, value] of Object.entries(record)) {
    const field = recordedElsewhere.has(name) ? undefined : fieldShape(shape, name);
    if (field !== undefined) collect(field, value, quoted(name), paths);
  }
  for (const pattern of ignore) {
    if (pattern === 'tags' || pattern.startsWith('tags.')) continue;
    for (const pointer of matchPath(pattern, shape, after)) {
      const [field, value] = [shapeAt(shape, pointer), valueThere(after, pointer)];
      if (field !== undefined && value !== undefined) collect(field, value, formatPath(shape, after, pointer), paths);
    }
  }
  return paths;
}

/**
 * Whether the image names its registry: the first part is a host if it has a dot or a port; a link begins with a slash.
 */
export function namesRegistry(image: string): boolean {
  const [host = '', ...path] = image.split('/');
  return path.length > 0 && (host === '' || host === 'localhost' || /[.:]/.test(host));
}

function collect(shape: Shape, value: JsonValue, path: string, paths: string[]): void {
  if (value === null || shape.facts.responseOnly === true || holdsSensitive(shape)) return;
  if (shape.type === 'object' && isObject(value)) {
    if (shape.facts.presence === true) paths.push(path);
    for (const [name, member] of Object.entries(value)) {
      const field = fieldShape(shape, name);
      if (field !== undefined) collect(field, member, `${path}.${quoted(name)}`, paths);
    }
    return;
  }
  paths.push(path);
  if (shape.type === 'list' && isArray(value)) {
    for (const item of value) {
      const name = itemName(shape, item);
      if (name === undefined) {
        if (isObject(item)) paths.push(`${path}${insideItems}`);
      } else collect(shape.item, item, `${path}.${quoted(name)}`, paths);
    }
  }
  if (shape.facts.canonical === 'image' && typeof value === 'string') {
    if (value.includes('@')) paths.push(`${path}${withDigest}`);
    if (namesRegistry(value)) paths.push(`${path}${withRegistry}`);
  }
}
