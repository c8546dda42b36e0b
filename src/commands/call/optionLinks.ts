import type { OptionLinks } from '../../kinds/common/client.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import { linkOf } from '../../schema/record/ref.ts';
import type { Api } from './api.ts';
import type { Call } from './command.ts';
import { queryTerms } from './queryTerms.ts';
import { optionLinks, optionRefs } from './refs.ts';

/** The records that the options of a call name, for the functions of a kind (`kinds/<kind>/client.ts`). */
export function linksOf(call: Call, api: Api): OptionLinks {
  const { given } = call;
  return {
    of: (option) => optionLinks(call, api, option),
    each: (option) => optionRefs(call, api, option).map((ref) => linkOf(ref, api.org)),
    query: (usual) => {
      const kind = kindNamed(given.text('queryKind')) ?? usual;
      const terms = queryTerms(call, api, kind, 'query');
      if (terms.length === 0) return undefined;
      return { kind, fetch: 'items', spec: { match: given.text('queryMatch') ?? 'all', terms } };
    },
  };
}
