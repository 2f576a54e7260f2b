// What orval makes of the document, with the address of the service built in.
module.exports = {
    map: {
        input: "openapi.yaml",
        output: { target: "made/orval.ts", client: "fetch", baseUrl: process.env.BASE },
    },
};
