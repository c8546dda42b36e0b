import { choice, described, list, object, objectOf, optional, publishedForm, text } from '../../base/form/form.ts';
import { errorMember } from '../../kinds/errorSchema.ts';

const error = optional(objectOf(errorMember));
const forge = choice('GitHub', 'GitLab');
const change = described('The number of the pull or merge request.', text);

export const commentForm = object({
  forge,
  change,
  action: choice('created', 'replaced', 'unchanged'),
  comment: described('The id of the comment.', text),
  url: optional(text),
  error,
});

export const keptForm = object({
  forge,
  change,
  commit: described('The commit that it was made from.', text),
  artifact: text,
  file: described('The plan that was written.', text),
  signatures: described('The file with its signatures, where they were kept.', optional(text)),
  error,
});

export const pipelineForm = object({
  forge: choice('github', 'gitlab', 'shell'),
  folder: described('Absolute.', text),
  files: list(
    object({
      path: described('From the folder.', text),
      change: choice('created', 'extended', 'unchanged'),
    }),
  ),
  environments: list(text),
  next: described('What is left to do by hand.', list(text)),
  error,
});

export const commentSchema = publishedForm('ci-comment', 'Gantry comment on a change', commentForm);
export const keptSchema = publishedForm('ci-fetch', 'Gantry plan that a pipeline kept', keptForm);
export const pipelineSchema = publishedForm('ci-pipeline', 'Gantry pipeline', pipelineForm);
