// What orval makes of the document, with the address of the service built in.
export default {
    map: {
        input: "openapi.yaml",
        output: { target: "made/orval.ts", client: "fetch", baseUrl: process.env.BASE },
    },
};
