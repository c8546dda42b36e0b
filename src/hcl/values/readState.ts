import { isDeeperThan } from '../../base/json/depth.ts';
import {
  fieldIn,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  stringAt,
} from '../../base/json/json.ts';
import { limits } from '../../manifest/limits.ts';
import type { AttributePath } from '../diagnostic.ts';

/** One managed resource of a state. */
export interface StateResource {
  /** In Terraform's form: `module.shop.gantry_workload.web["eu"]`. */
  readonly address: string;
  readonly type: string;
  /** Its attributes, with sensitive ones in plain text. */
  readonly values: JsonObject;
  /** The paths that Terraform marks as sensitive: by the schema, or because they come from a sensitive variable. */
  readonly sensitive: readonly AttributePath[];
}

export type StateRead =
  | { readonly resources: readonly StateResource[] }
  | { readonly mistake: string; readonly hint: string };

/** The managed resources of a state of version 4, or of the output of `terraform show -json`. */
export function readState(state: JsonValue): StateRead {
  if (!isObject(state)) return unreadable('it is not an object');
  if (isDeeperThan(state, limits.depth)) return unreadable('it is nested too deep');
  if (own(state, 'encrypted_data') !== undefined) {
    return { mistake: 'the state is encrypted', hint: 'Give the output of tofu show -json in its place.' };
  }
  if (own(state, 'planned_values') !== undefined) {
    return {
      mistake: 'this is a plan, not a state',
      hint: 'Give the output of terraform show -json without a file behind it.',
    };
  }
  if (isObject(own(state, 'values'))) {
    return { resources: resourcesOfModule(objectAt(objectAt(state, 'values'), 'root_module')) };
  }
  const version = own(state, 'version');
  if (version === 4) return { resources: objects(listAt(state, 'resources')).flatMap(ofResource) };
  if (version !== undefined) return unreadable(`its version is ${JSON.stringify(version)}, not 4`);
  // The printed form of an empty state has no values.
  if (own(state, 'format_version') !== undefined) return { resources: [] };
  return unreadable('it has neither version nor values');
}

function unreadable(why: string): StateRead {
  return {
    mistake: `this is not a state: ${why}`,
    hint: 'Give terraform.tfstate, or the output of terraform show -json.',
  };
}

function resourcesOfModule(module: JsonObject): readonly StateResource[] {
  const here = objects(listAt(module, 'resources'))
    .filter((resource) => stringAt(resource, 'mode') === 'managed')
    .map((resource) => ({
      address: stringAt(resource, 'address') ?? '',
      type: stringAt(resource, 'type') ?? '',
      values: objectAt(resource, 'values'),
      sensitive: markedPaths(own(resource, 'sensitive_values'), []),
    }));
  return [...here, ...objects(listAt(module, 'child_modules')).flatMap(resourcesOfModule)];
}

function ofResource(resource: JsonObject): readonly StateResource[] {
  if (stringAt(resource, 'mode') !== 'managed') return [];
  const type = stringAt(resource, 'type') ?? '';
  const module = stringAt(resource, 'module');
  const address = `${module === undefined ? '' : `${module}.`}${type}.${stringAt(resource, 'name') ?? ''}`;
  return objects(listAt(resource, 'instances'))
    .filter((instance) => own(instance, 'deposed') === undefined) // about to be destroyed
    .map((instance) => ({
      address: `${address}${indexOf(own(instance, 'index_key'))}`,
      type,
      values: objectAt(instance, 'attributes'),
      sensitive: listAt(instance, 'sensitive_attributes').map(pathOfSteps),
    }));
}

/** `{spec: {env: [{value: true}]}}` marks `spec.env[0].value`. */
function markedPaths(marks: JsonValue | undefined, path: AttributePath): readonly AttributePath[] {
  if (marks === true) return [path];
  if (isArray(marks)) return marks.flatMap((mark, index) => markedPaths(mark, [...path, index]));
  if (!isObject(marks)) return [];
  return Object.entries(marks).flatMap(([name, mark]) => markedPaths(mark, [...path, name]));
}

/** A path in a state. An unknown step ends it, so that more is marked, not less. */
function pathOfSteps(steps: JsonValue): AttributePath {
  const path: (string | number)[] = [];
  for (const step of isArray(steps) ? steps : []) {
    const value = fieldIn(step, 'value');
    const key = isObject(value) ? own(value, 'value') : value;
    if (typeof key !== 'string' && typeof key !== 'number') break;
    path.push(key);
  }
  return path;
}

function indexOf(key: JsonValue | undefined): string {
  return key === undefined ? '' : `[${JSON.stringify(key)}]`;
}

function objects(values: readonly JsonValue[]): readonly JsonObject[] {
  return values.filter(isObject);
}
