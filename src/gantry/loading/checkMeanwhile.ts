import { loadValidators, type Validators } from '../../kinds/validators.ts';
import {
  CheckedAlone,
  type CheckedManifests,
  type CheckOptions,
  checkManifests,
  kindsOf,
} from '../../manifest/checkManifests.ts';
import type { ManifestDocument } from '../../manifest/model/manifest.ts';

/**
 * Checks manifests each by itself while a stack still hands over others, in another process: on a second core that
 * costs no time.
 */
export class CheckMeanwhile {
  readonly #options: Omit<CheckOptions, 'validators'>;
  readonly #alone = new CheckedAlone();
  #isOver = false;

  constructor(options: Omit<CheckOptions, 'validators'>) {
    this.#options = options;
  }

  readonly onDocuments = (documents: readonly ManifestDocument[]): void => {
    const check = (validators: Validators) => {
      if (this.#isOver) return;
      for (const document of documents) this.#alone.add(document, { ...this.#options, validators });
    };
    // A validator that cannot be loaded is told by `checkAll`, which needs it too.
    loadValidators(kindsOf(documents)).then(check, () => undefined);
  };

  async checkAll(documents: readonly ManifestDocument[]): Promise<CheckedManifests> {
    this.#isOver = true;
    const validators = await loadValidators(kindsOf(documents));
    return checkManifests(documents, { ...this.#options, validators }, this.#alone);
  }
}
