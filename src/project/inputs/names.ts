import { platformFileName, settingsFileName } from '../files/projectFiles.ts';

/** In any letter case, as some editors and systems write them. */
const manifestName = /\.(?:ya?ml|json)$/i;
/** Copies, templates and variants: names of manifests with a suffix. */
const nearlyManifestName = /\.(?:ya?ml|json)[^/\\]+$/i;
const jsonName = /\.json$/i;
const stackName = /\.(?:[cm]?ts|[cm]?js)$/;

export const defaultStackName = 'stack.ts';

/** JSON and YAML files of other tools, often found next to manifests. */
const ofOtherTools = /^(?:package|package-lock|tsconfig(?:\..+)?)\.json$/i;

/** A test of policies as code, below the searched folder: `policies/images.test.yaml`. */
const policyTest = /(?:^|\/)policies\/[^/]+\.test\.ya?ml$/;

export function isPolicyTest(inside: string): boolean {
  return policyTest.test(inside);
}

/** Whether a file named by the user has a suffix of manifests; the rest of its name does not matter. */
export function hasManifestSuffix(name: string): boolean {
  return manifestName.test(name);
}

export function isManifestName(name: string): boolean {
  return manifestName.test(name) && name !== settingsFileName && name !== platformFileName && !ofOtherTools.test(name);
}

export function isNearlyManifestName(name: string): boolean {
  return nearlyManifestName.test(name);
}

export function isJsonName(name: string): boolean {
  return jsonName.test(name);
}

export function isStackName(name: string): boolean {
  return stackName.test(name);
}

/** Whether the name of the settings is misspelt: `gantry.yml`, `Gantry.yaml`. */
export function isMisspeltSettingsName(name: string): boolean {
  return name !== settingsFileName && /^gantry\.ya?ml$/i.test(name);
}

/** Whether the name of a folder's stack is misspelt: `stack.js`, `Stack.ts`. */
export function isMisspeltStackName(name: string): boolean {
  return name !== defaultStackName && /^stack\.[cm]?[jt]s$/i.test(name);
}
