/** The most links that one policy takes (platform/policy). */
const mostLinks = 200;

export interface LinkList {
  /** The second one has a number, and so on. */
  readonly name: string;
  readonly targetLinks: readonly string[];
}

/** Links as the targets of as many policies as they need. */
export function linkLists(name: string, links: readonly string[]): readonly LinkList[] {
  return Array.from({ length: Math.ceil(links.length / mostLinks) }, (_, index) => ({
    name: index === 0 ? name : `${name}-${index + 1}`,
    targetLinks: links.slice(index * mostLinks, (index + 1) * mostLinks),
  }));
}
