import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieSealer } from './deps.ts';
import type { SetupProposal } from './setup-pages.ts';

/** What a browser carries through setting up, sealed. */
export interface SetupPass {
  /** It came with the key of the server's log. */
  readonly byKey: boolean;
  /** What GitHub was asked for, and the random text that GitHub gives back; null before it was asked. */
  readonly asked: { readonly state: string; readonly github: SetupProposal['github'] } | null;
}

export interface SetupPasses {
  /** Null when there is none, it is forged, or older than an hour, which is as long as GitHub's code counts. */
  read(request: FastifyRequest): SetupPass | null;
  give(reply: FastifyReply, pass: SetupPass): void;
  end(reply: FastifyReply): void;
}

const lifetime = 60 * 60;
const kind = 'setup';

export function openSetupPasses(options: {
  readonly sealer: CookieSealer;
  readonly publicUrl: string;
  readonly now: () => Date;
}): SetupPasses {
  const { sealer, now } = options;
  const secure = new URL(options.publicUrl).protocol === 'https:';
  const name = secure ? '__Host-docloom-setup' : 'docloom-setup';
  // Lax: it has to come along when GitHub leads back here.
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;

  return {
    read(request) {
      const sealed = request.cookies[name];
      if (sealed === undefined) return null;
      try {
        const content = JSON.parse(sealer.unseal(sealed)) as SetupPass & { kind?: unknown; at: number };
        const isFresh = now().getTime() - content.at < lifetime * 1000;
        return content.kind === kind && isFresh ? content : null;
      } catch {
        return null;
      }
    },
    give(reply, pass) {
      const text = JSON.stringify({ kind, ...pass, at: now().getTime() });
      reply.setCookie(name, sealer.seal(text), { ...attributes, maxAge: lifetime });
    },
    end(reply) {
      reply.clearCookie(name, attributes);
    },
  };
}
