import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { MadeBy, ManifestDocument, Position } from '../../manifest/model/manifest.ts';
import { displayPath } from '../files/displayPath.ts';

/** Shows places as people in a folder see them. Thousands of them are in a few files. */
export class FolderPlaces {
  readonly #cwd: string;
  readonly #shown = new Map<string, string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  readonly place = ({ file, line, column }: Position): Position => {
    const path = this.#shown.get(file) ?? displayPath(file, this.#cwd);
    this.#shown.set(file, path);
    return { file: path, line, column };
  };

  readonly problem = (problem: LocatedProblem): LocatedProblem => {
    const position = this.place(problem.position);
    const { callers } = problem;
    // A message may name the lines of other resources.
    const message = problem.message.replaceAll(`${this.#cwd}/`, '');
    return callers === undefined
      ? { ...problem, message, position }
      : { ...problem, message, position, callers: callers.map(this.place) };
  };

  /** Who made it is worked out when it is asked for: the engine makes text of its frames only then. */
  readonly document = ({ value, locate, madeBy }: ManifestDocument): ManifestDocument => {
    const document = { value, locate: () => this.place(locate([])) };
    if (madeBy === undefined) return document;
    const shown = () => this.#madeBy(madeBy);
    return {
      ...document,
      get madeBy() {
        return shown();
      },
    };
  };

  #madeBy({ callers, places, ...more }: MadeBy): MadeBy {
    return {
      ...more,
      callers: callers.map(this.place),
      ...(places === undefined
        ? {}
        : { places: places.map(({ pointer, position }) => ({ pointer, position: this.place(position) })) }),
    };
  }
}
