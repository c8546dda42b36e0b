import { loadValidators } from '../../src/kinds/validators.ts';
import { type CheckedManifests, checkManifests } from '../../src/manifest/checkManifests.ts';
import type { ManifestDocument } from '../../src/manifest/model/manifest.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';

export const options = { org: 'local', validators: await loadValidators(creatableKinds) };

/** The valid documents of a text in `a.yaml`. */
export function documentsIn(text: string): readonly ManifestDocument[] {
  const { documents, problems } = parseManifestText({ text, file: 'a.yaml', format: 'yaml' });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  return documents;
}

export function check(text: string, gvc?: string): CheckedManifests {
  return checkManifests(documentsIn(text), gvc === undefined ? options : { ...options, gvc });
}
