import type { Vocabulary } from './words/vocabulary.ts';

/** A string, with what makes it a key or a label; a call, whose content is JSON; brackets; a reference; a name. */
const grammar = /"(?:[^"\\]|\\.)*"(\s*=)?|jsonencode\(|[()]|\bvar\.[\w-]+|[A-Za-z_][\w-]*/g;

/**
 * Terraform configuration in the installation's words (platform/clients.output): names of attributes and blocks, types
 * of resources, keys of JSON, reserved tags, URIs and names of types. It is only ever sent, never read.
 */
export function terraformOnTheWire(text: string, vocabulary: Vocabulary): string {
  const { keys, types, tags, texts } = vocabulary;
  let depth = 0; // of brackets since `jsonencode(`
  let before = '';
  return text.replace(grammar, (found: string, equals: string | undefined) => {
    const label = before;
    before = found;
    if (found === 'jsonencode(') depth = 1;
    else if (depth > 0 && found === '(') depth += 1;
    else if (depth > 0 && found === ')') depth -= 1;
    if (found.startsWith('var.') || /^[()]$/.test(found) || found === 'jsonencode(') return found;
    if (!found.startsWith('"')) return keys.toWire(found);

    const end = found.lastIndexOf('"');
    const content = found.slice(1, end);
    const rest = found.slice(end);
    if (equals !== undefined) return `"${depth > 0 ? keys.toWire(content) : tags.toWire(content)}${rest}`;
    if (label === 'resource') return `"${types.toWire(content)}${rest}`;
    const isType = /^(?:_type|"@type")/.test(label) || /^proxy\.(?:filters\.|http_grpc_access_log$)/.test(content);
    return `"${(isType ? types : texts).toWire(content)}${rest}`;
  });
}
