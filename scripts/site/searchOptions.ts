/** The same for the generator, which writes the index, and for the page, which reads it. */
export const searchOptions = {
  fields: ['title', 'text'],
  storeFields: ['path', 'title', 'part'],
  // `firewallConfig.external` is found by each of its words, `inboundAllowCIDR` as a whole.
  tokenize: (text: string): string[] => text.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== ''),
  searchOptions: {
    prefix: true,
    fuzzy: 0.15,
    boost: { title: 3 },
    combineWith: 'AND' as const,
    // The sections of the Terraform provider's reference have the same headings on each page.
    boostDocument: (_: unknown, __: string, stored: Readonly<Record<string, unknown>> = {}): number =>
      /^terraform\/.*#/.test(String(stored['path'])) ? 0.3 : 1,
  },
};
