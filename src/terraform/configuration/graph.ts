/**
 * Edges between resources, of which none closes a circle: Terraform refuses those, the platform takes some. What is
 * added first is in it.
 */
export class AcyclicGraph {
  readonly #edges = new Map<string, Set<string>>();

  /** False: it would close a circle, and was not added. */
  add(from: string, to: string): boolean {
    if (from === to || this.#reaches(to, from)) return false;
    const edges = this.#edges.get(from) ?? new Set();
    this.#edges.set(from, edges.add(to));
    return true;
  }

  #reaches(from: string, to: string): boolean {
    const seen = new Set<string>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === to) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...(this.#edges.get(at) ?? []));
    }
    return false;
  }
}
