import type { Pointer } from '../../base/json/pointer.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Locate } from '../../manifest/model/manifest.ts';

/** Collects what is wrong with `policies` of `gantry.yaml`, each with its line. */
export class SettingFaults {
  readonly problems: LocatedProblem[] = [];
  readonly #locate: Locate;

  constructor(locate: Locate) {
    this.#locate = locate;
  }

  /** `at`: below `policies`. */
  add(at: Pointer, message: string, hint?: string): void {
    const where = ['policies', ...at];
    const name = where.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    const said = `${name.slice(1)}${message.startsWith(':') ? '' : ' '}${message}`;
    this.problems.push(fileProblem(this.#locate(where), 'policies.settings', said, hint));
  }
}
