/** The introduction of the document, as Markdown. */
export const about = `Create, change and watch the resources of a workload platform over HTTP and JSON.

- **Token**: every request carries \`authorization: Bearer TOKEN\`.
- **Records** have a kind and a name. A link such as \`/org/local/gvc/shop\` names a record;
  \`//gvc/shop\` is short for one in the same org.
- **Pages**: a list answers with up to \`limit\` records. If there are more, its link \`next\` leads to them.
- **Errors** have a stable \`code\`. \`details.problems\` lists what is wrong, each with its place and its rule.
- **Versions**: send the \`version\` that you have read with your change. If somebody else
  changed the record since then, the answer is 409 and nothing is changed.
`;
