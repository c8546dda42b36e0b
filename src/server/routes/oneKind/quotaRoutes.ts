import { replaceRoute } from '../everyKind/replaceRoute.ts';
import type { Route } from '../../dispatch/route.ts';

/** A quota is there from the beginning; only its limit can be set (platform/quota). */
export const quotaRoutes: readonly Route[] = [replaceRoute('quota')];
