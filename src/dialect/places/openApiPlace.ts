import type { Renaming } from '../words/renaming.ts';
import { type Place, placeOf } from './place.ts';

/**
 * A description of the API: the fields in its schemas are called as they are on the wire, the words of OpenAPI stay.
 * `fields`: names of fields; `messages`: text for people and patterns.
 */
export function openApiPlace(fields: Renaming, messages: Renaming): Place {
  const names = placeOf({ text: fields });
  const schema: Place = placeOf({
    text: messages,
    child(key) {
      if (key === 'properties') return properties;
      return key === 'required' ? names : undefined;
    },
  });
  const properties: Place = placeOf({ keys: fields, text: messages, child: () => schema });
  return schema;
}
