import { ToolError } from '../errors/toolError.ts';
import { declaredObjects } from './places/declared.ts';
import { classOf, vocabularyOf } from './words/vocabulary.ts';
import { neutralWords, type Words } from './words/words.ts';

/**
 * Schemes and prefixes that mean something on every installation (platform/concepts.names,
 * platform/workload.references, rule W30, rule W32).
 */
const taken: ReadonlyMap<string, string> = new Map([
  ...['s3', 'gs', 'azureblob', 'azurefs', 'scratch', 'k8s'].map((word) => [word, 'schemes of volume URIs'] as const),
  ...['http', 'https', 'ws', 'wss', 'tcp'].map((word) => [word, 'schemes of addresses'] as const),
  ['debugger', 'reserved prefixes of container names'],
  ['gantry', 'the tags of Gantry'],
]);

/** Two names that become one could not be told apart on the way back. Errors: `dialect.collision`. */
export function refuseCollisions(words: Words, names: ReadonlyMap<string, string>, source: string): void {
  function refuse(message: string): never {
    throw new ToolError({
      code: 'dialect.collision',
      message: `${source}: ${message}`,
      hint: 'Each name needs a spelling of its own at its place: change the word, or give one of the two in names.',
    });
  }
  const use = taken.get(words.scheme);
  if (use !== undefined) refuse(`words.scheme is ${words.scheme}, which is taken: ${use}`);

  const byWord = new Map<string, string>();
  for (const word of neutralWords) {
    const other = byWord.get(words[word]);
    if (other !== undefined) refuse(`the words ${other} and ${word} are both ${words[word]}`);
    byWord.set(words[word], word);
  }
  const byName = new Map<string, string>();
  for (const [neutral, own] of names) {
    const place = `${classOf(neutral)} ${own}`;
    const other = byName.get(place);
    if (other !== undefined) refuse(`the names ${other} and ${neutral} are both ${own}`);
    byName.set(place, neutral);
  }

  const { field } = vocabularyOf(words, names);
  const objects = declaredObjects();
  const everywhere = new Set(objects.flatMap(({ names: fields }) => fields));
  for (const { place, names: fields, loose } of objects) {
    const known = loose === true ? everywhere : new Set(fields);
    const images = new Map<string, string>();
    for (const name of fields) {
      const image = field(name);
      const other = images.get(image);
      if (other !== undefined) refuse(`${place}: the fields ${other} and ${name} are both ${image}`);
      if (image !== name && known.has(image)) {
        refuse(`${place}: the field ${name} is called ${image}, and that is another field there`);
      }
      images.set(image, name);
    }
  }
}
