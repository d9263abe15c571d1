import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { toFailure } from '../http/failure.ts';
import { writeAnswer } from './answer.ts';
import { callOperation } from './call-operation.ts';
import type { ReadPictures } from './pictures.ts';
import { sortArguments } from './tool-input.ts';
import { TOOLS } from './tools.ts';

/** `viewer.agent` is what the agent calls itself. */
export type Caller = { viewer: Viewer; gone: AbortSignal };

/** What tools need besides the context: how pictures are read. */
export type ToolContext = Context & { readPictures: ReadPictures };

/** Calls a tool. Errors are answers, too, because the agent has to read them. */
export async function callTool(
  ctx: ToolContext,
  caller: Caller,
  name: string,
  given: unknown,
): Promise<CallToolResult> {
  try {
    return await answerCall(ctx, caller, name, given);
  } catch (error) {
    const { status, body } = toFailure(error);
    if (status >= 500) ctx.log.error({ err: error, tool: name }, 'a tool failed');
    return { isError: true, content: [{ type: 'text', text: writeAnswer(body) }] };
  }
}

async function answerCall(
  ctx: ToolContext,
  { viewer, gone }: Caller,
  name: string,
  given: unknown,
): Promise<CallToolResult> {
  const tool = TOOLS.find((each) => each.name === name);
  if (tool === undefined) throw notFound('Tool');
  const { body, cursor } = await callOperation(ctx, tool.route, { viewer, ...sortArguments(tool, given), gone });
  const pictures = tool.hasPictures ? await ctx.readPictures(viewer, body) : [];
  return { content: [{ type: 'text', text: writeAnswer(tool.keeps.parse(body), cursor) }, ...pictures] };
}
