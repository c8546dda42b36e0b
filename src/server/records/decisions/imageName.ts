/** Name and tag have up to 128 characters each (platform/concepts.names); tags as in registries. */
const form = /^(?=[^:]{1,128}:)([a-z0-9]+(?:[-._]+[a-z0-9]+)*):([A-Za-z0-9_][-._A-Za-z0-9]{0,127})$/;

export interface ImageName {
  readonly repository: string;
  readonly tag: string;
}

/** Undefined: not `NAME:TAG`. */
export function parseImageName(text: string): ImageName | undefined {
  const [, repository, tag] = form.exec(text) ?? [];
  return repository === undefined || tag === undefined ? undefined : { repository, tag };
}
