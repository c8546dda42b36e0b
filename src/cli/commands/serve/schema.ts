import { object, objectOf, optional, publishedForm, text } from '../../../base/form/form.ts';
import { errorMember } from '../../../kinds/published/errorSchema.ts';

const server = object({ url: text, console: optional(text), error: optional(objectOf(errorMember)) });

/** The JSON Schema of `gantry serve -o json`. */
export const serverSchema = publishedForm('server', 'Gantry server', server);
