import type { Described } from '../../api/openapi/described.ts';
import { Slices } from '../../core/slices.ts';

interface Texts {
  readonly json: string;
  /** For reading if the viewer is not installed. */
  readonly page: string;
}

/** The description of the API: made at the first request, in slices, then cached. */
export class ApiDescription {
  readonly #routes: readonly Described[];
  #texts: Promise<Texts> | undefined;

  constructor(routes: readonly Described[]) {
    this.#routes = routes;
  }

  async texts(): Promise<Texts> {
    this.#texts ??= this.#made();
    try {
      return await this.#texts;
    } catch (error) {
      this.#texts = undefined;
      throw error;
    }
  }

  /** Shared by all requests that wait for it, so it continues when one of them disconnects. */
  async #made(): Promise<Texts> {
    const { openApiSteps } = await import('../../api/openapi/document.ts');
    const { openApiPage } = await import('../../api/openapi/page.ts');
    return Slices.of({ caller: 'the description of the API' }, async (slices) => {
      const steps = openApiSteps(this.#routes);
      let step = steps.next();
      while (step.done !== true) {
        await slices.rest();
        step = steps.next();
      }
      await slices.next();
      const json = JSON.stringify(step.value);
      await slices.next();
      return { json, page: openApiPage(step.value) };
    });
  }
}
