import { object, objectOf, optional, publishedForm, text } from '../../../plan/model/form.ts';
import { errorMember } from '../../../schema/published/errorSchema.ts';

const server = object({ url: text, error: optional(objectOf(errorMember)) });

/** The JSON Schema of `gantry serve -o json`. */
export const serverSchema = publishedForm('server', 'Gantry server', server);
