/*
 * mapwright_godot.c: the class Mapwright for Godot 4: a GDExtension in C.
 *
 *     encode(address: String, parameters: String) -> PackedByteArray     empty: see problem()
 *     grid(name: String) -> PackedInt32Array                             of the map made last
 *     problem() -> String
 *
 * Godot asks for a method in two ways: with variants (call) and with the bare types (ptrcall). Both
 * end in the same function; a row of `methods` says what it takes and gives.
 */
#include "gdextension.h"

#include "mapwright.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#include <windows.h>
#undef INTERFACE
#endif

enum { ARGS_MOST = 2, RESIZE_HASH = 848867239 };
#define BLOCK_LEAST ((size_t)1 << 20)
#define BLOCK_MOST ((size_t)4 << 30)

/* Room for a value of Godot's, whichever: they are 8 or 16 bytes. */
struct value {
    _Alignas(16) char room[16];
};

/* An object of the class. */
struct maps {
    void *block;
    size_t size;
    struct mw_run *run;
    const struct mw_map *map; /* NULL: there is none */
};

/* ---- the interface --------------------------------------------------------------------------- */

/* clang-format off */
#define INTERFACE(X) \
    X(GDExtensionInterfaceVariantGetPtrConstructor, variant_get_ptr_constructor) \
    X(GDExtensionInterfaceVariantGetPtrDestructor, variant_get_ptr_destructor) \
    X(GDExtensionInterfaceVariantGetPtrBuiltinMethod, variant_get_ptr_builtin_method) \
    X(GDExtensionInterfaceGetVariantFromTypeConstructor, get_variant_from_type_constructor) \
    X(GDExtensionInterfaceGetVariantToTypeConstructor, get_variant_to_type_constructor) \
    X(GDExtensionInterfaceVariantGetType, variant_get_type) \
    X(GDExtensionInterfaceStringNewWithUtf8Chars, string_new_with_utf8_chars) \
    X(GDExtensionInterfaceStringToUtf8Chars, string_to_utf8_chars) \
    X(GDExtensionInterfaceStringNameNewWithLatin1Chars, string_name_new_with_latin1_chars) \
    X(GDExtensionInterfacePackedByteArrayOperatorIndex, packed_byte_array_operator_index) \
    X(GDExtensionInterfacePackedInt32ArrayOperatorIndex, packed_int32_array_operator_index) \
    X(GDExtensionInterfaceClassdbConstructObject, classdb_construct_object) \
    X(GDExtensionInterfaceObjectSetInstance, object_set_instance) \
    X(GDExtensionInterfaceClassdbRegisterExtensionClass2, classdb_register_extension_class2) \
    X(GDExtensionInterfaceClassdbRegisterExtensionClassMethod, \
      classdb_register_extension_class_method) \
    X(GDExtensionInterfaceClassdbUnregisterExtensionClass, classdb_unregister_extension_class)
/* clang-format on */

static struct {
    GDExtensionClassLibraryPtr library;
#define MEMBER(type, name) type name;
    INTERFACE(MEMBER)
#undef MEMBER
} godot;

/* False: this Godot lacks something. */
static bool ask_interface(GDExtensionInterfaceGetProcAddress get)
{
#define ASK(type, name) \
    if (!(godot.name = (type)get(#name))) \
        return false;
    INTERFACE(ASK)
#undef ASK
    return true;
}

static void destroy(GDExtensionVariantType type, struct value *value)
{
    godot.variant_get_ptr_destructor(type)(value);
}

static struct value name_of(const char *text)
{
    struct value name;
    godot.string_name_new_with_latin1_chars(&name, text, false);
    return name;
}

static void forget_name(struct value *name) { destroy(GDEXTENSION_VARIANT_TYPE_STRING_NAME, name); }

static void resize(GDExtensionVariantType type, void *array, GDExtensionInt count)
{
    GDExtensionInt outcome;
    const GDExtensionConstTypePtr args[] = {&count};
    struct value name = name_of("resize");
    godot.variant_get_ptr_builtin_method(type, &name, RESIZE_HASH)(array, args, &outcome, 1);
    forget_name(&name);
}

/* In memory of its own, ended by a zero. NULL: there is none. */
static char *text_of(const void *string)
{
    GDExtensionInt length = godot.string_to_utf8_chars(string, NULL, 0);
    char *text = malloc((size_t)length + 1);
    if (!text)
        return NULL;
    godot.string_to_utf8_chars(string, text, length);
    text[length] = '\0';
    return text;
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* A block of at least that size, and a run in it. */
static bool open_run(struct maps *maps, size_t size)
{
    maps->map = NULL;
    maps->run = NULL;
    if (size > maps->size) {
        free(maps->block);
        maps->block = malloc(size);
        maps->size = maps->block ? size : 0;
    }
    if (maps->block)
        maps->run = mw_open(&(struct mw_limits){.memory = maps->block, .size = maps->size});
    return maps->run != NULL;
}

static bool is_too_big(const struct maps *maps)
{
    const struct mw_problems *problems = mw_problems(maps->run);
    return problems->count && problems->list[0].fault == MW_TOO_BIG;
}

/* The time, to its nanosecond: a new map each time is all that is wanted. */
static void draw_seed(char seed[24])
{
#ifdef _WIN32 /* whose C library has no timespec_get */
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    snprintf(seed, 24, "%lu%09lu", now.dwHighDateTime % 9000000, now.dwLowDateTime % 1000000000);
#else
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    snprintf(seed, 24, "%lld", (long long)(now.tv_sec % 9000000) * 1000000000 + now.tv_nsec);
#endif
}

/* In blocks of growing size, as large as the map is expected to be or larger. */
static struct mw_bytes make(struct maps *maps, const char *address, const char *json)
{
    char seed[24];
    struct mw_bytes bytes = {NULL, 0};
    draw_seed(seed);
    size_t size = BLOCK_LEAST + 16 * (strlen(address) + strlen(json));
    while (open_run(maps, size)) {
        const struct mw_request *request = mw_ask(maps->run, address, json, seed);
        size = maps->size;
        if (request && mw_request_cost(request).bytes > size && size < BLOCK_MOST) {
            size = 2 * mw_request_cost(request).bytes;
            continue;
        }
        maps->map = request ? mw_make(maps->run, request) : NULL;
        if (maps->map)
            bytes = mw_encode(maps->run, maps->map, NULL);
        if (bytes.at || !is_too_big(maps) || size >= BLOCK_MOST)
            break;
        size *= 2;
    }
    return bytes;
}

static void encode(struct maps *maps, char *const args[], void *result)
{
    struct mw_bytes bytes = make(maps, args[0], args[1]);
    resize(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, result, (GDExtensionInt)bytes.length);
    if (bytes.length)
        memcpy(godot.packed_byte_array_operator_index(result, 0), bytes.at, bytes.length);
}

static void grid(struct maps *maps, char *const args[], void *result)
{
    const struct mw_cells *cells = maps->map ? mw_grid(maps->map, args[0]) : NULL;
    size_t count = cells ? (size_t)cells->lattice.width * (size_t)cells->lattice.height : 0;
    resize(GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY, result, (GDExtensionInt)count);
    if (count)
        memcpy(godot.packed_int32_array_operator_index(result, 0), cells->at,
               count * sizeof *cells->at);
}

/* "width: must be an integer from 1 to 4096", a line each. */
static void problem(struct maps *maps, char *const args[], void *result)
{
    static const struct mw_problems none;
    char text[MW_PROBLEMS_MAX * 420], *to = text;
    const struct mw_problems *problems = maps->run ? mw_problems(maps->run) : &none;
    (void)args;
    *to = '\0';
    for (size_t i = 0; i < problems->count; i++) {
        const struct mw_problem *p = &problems->list[i];
        to += sprintf(to, "%s%s%s%s", i ? "\n" : "", p->pointer[0] ? p->pointer + 1 : "",
                      p->pointer[0] ? ": " : "", p->detail);
    }
    destroy(GDEXTENSION_VARIANT_TYPE_STRING, result);
    godot.string_new_with_utf8_chars(result, maps->block || !maps->size ? text : "out of memory");
}

/* ---- methods --------------------------------------------------------------------------------- */

static const struct method {
    const char *name;
    void (*work)(struct maps *, char *const args[], void *result);
    GDExtensionVariantType gives;
    uint32_t count; /* of arguments, which are all strings */
    const char *args[ARGS_MOST];
} methods[] = {
    {"encode", encode, GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, 2, {"address", "parameters"}},
    {"grid", grid, GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY, 1, {"name"}},
    {"problem", problem, GDEXTENSION_VARIANT_TYPE_STRING, 0, {NULL}},
};
enum { METHODS = sizeof methods / sizeof *methods };

static void ptrcall(void *userdata, GDExtensionClassInstancePtr instance,
                    const GDExtensionConstTypePtr *args, GDExtensionTypePtr result)
{
    const struct method *method = userdata;
    char *texts[ARGS_MOST] = {NULL};
    bool good = true;
    for (uint32_t i = 0; i < method->count; i++)
        good = (texts[i] = text_of(args[i])) && good;
    if (good)
        method->work(instance, texts, result);
    for (uint32_t i = 0; i < method->count; i++)
        free(texts[i]);
}

static GDExtensionCallError judge(const struct method *method,
                                  const GDExtensionConstVariantPtr *args, GDExtensionInt count)
{
    int32_t most = (int32_t)method->count;
    if (count != most)
        return (GDExtensionCallError){count < most ? GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS
                                                   : GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS,
                                      most, most};
    for (int32_t i = 0; i < most; i++)
        if (godot.variant_get_type(args[i]) != GDEXTENSION_VARIANT_TYPE_STRING)
            return (GDExtensionCallError){GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT, i,
                                          GDEXTENSION_VARIANT_TYPE_STRING};
    return (GDExtensionCallError){GDEXTENSION_CALL_OK, 0, 0};
}

static void call(void *userdata, GDExtensionClassInstancePtr instance,
                 const GDExtensionConstVariantPtr *args, GDExtensionInt count,
                 GDExtensionVariantPtr result, GDExtensionCallError *error)
{
    const struct method *method = userdata;
    struct value strings[ARGS_MOST], given;
    GDExtensionConstTypePtr taken[ARGS_MOST];
    *error = judge(method, args, count);
    if (error->error != GDEXTENSION_CALL_OK)
        return;
    for (uint32_t i = 0; i < method->count; i++) {
        godot.get_variant_to_type_constructor(GDEXTENSION_VARIANT_TYPE_STRING)(&strings[i],
                                                                               (void *)args[i]);
        taken[i] = &strings[i];
    }
    godot.variant_get_ptr_constructor(method->gives, 0)(&given, NULL);
    ptrcall(userdata, instance, taken, &given);
    godot.get_variant_from_type_constructor(method->gives)(result, &given);
    destroy(method->gives, &given);
    for (uint32_t i = 0; i < method->count; i++)
        destroy(GDEXTENSION_VARIANT_TYPE_STRING, &strings[i]);
}

/* ---- the class ------------------------------------------------------------------------------- */

static GDExtensionObjectPtr create(void *userdata)
{
    (void)userdata;
    struct value parent = name_of("RefCounted"), name = name_of("Mapwright");
    struct maps *maps = calloc(1, sizeof *maps);
    GDExtensionObjectPtr object = maps ? godot.classdb_construct_object(&parent) : NULL;
    if (object)
        godot.object_set_instance(object, &name, maps);
    forget_name(&parent);
    forget_name(&name);
    return object;
}

static void discard(void *userdata, GDExtensionClassInstancePtr instance)
{
    (void)userdata;
    struct maps *maps = instance;
    free(maps->block);
    free(maps);
}

static void add_method(const struct method *method, struct value *class, struct value *none,
                       struct value *empty)
{
    enum { USAGE_DEFAULT = 6 };
    struct value name = name_of(method->name), names[ARGS_MOST];
    GDExtensionPropertyInfo given = {method->gives, none, none, 0, empty, USAGE_DEFAULT};
    GDExtensionPropertyInfo taken[ARGS_MOST];
    GDExtensionClassMethodArgumentMetadata plain[ARGS_MOST] = {
        GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE};
    for (uint32_t i = 0; i < method->count; i++) {
        names[i] = name_of(method->args[i]);
        taken[i] = (GDExtensionPropertyInfo){
            GDEXTENSION_VARIANT_TYPE_STRING, &names[i], none, 0, empty, USAGE_DEFAULT};
    }
    godot.classdb_register_extension_class_method(
        godot.library, class,
        &(GDExtensionClassMethodInfo){.name = &name,
                                      .method_userdata = (void *)method,
                                      .call_func = call,
                                      .ptrcall_func = ptrcall,
                                      .method_flags = GDEXTENSION_METHOD_FLAGS_DEFAULT,
                                      .has_return_value = true,
                                      .return_value_info = &given,
                                      .argument_count = method->count,
                                      .arguments_info = taken,
                                      .arguments_metadata = plain});
    for (uint32_t i = 0; i < method->count; i++)
        forget_name(&names[i]);
    forget_name(&name);
}

static void initialize(void *userdata, GDExtensionInitializationLevel level)
{
    (void)userdata;
    if (level != GDEXTENSION_INITIALIZATION_SCENE)
        return;
    struct value name = name_of("Mapwright"), parent = name_of("RefCounted"), none = name_of("");
    struct value empty;
    godot.string_new_with_utf8_chars(&empty, "");
    godot.classdb_register_extension_class2(
        godot.library, &name, &parent,
        &(GDExtensionClassCreationInfo2){
            .is_exposed = true, .create_instance_func = create, .free_instance_func = discard});
    for (int i = 0; i < METHODS; i++)
        add_method(&methods[i], &name, &none, &empty);
    destroy(GDEXTENSION_VARIANT_TYPE_STRING, &empty);
    forget_name(&none);
    forget_name(&parent);
    forget_name(&name);
}

static void deinitialize(void *userdata, GDExtensionInitializationLevel level)
{
    (void)userdata;
    if (level != GDEXTENSION_INITIALIZATION_SCENE)
        return;
    struct value name = name_of("Mapwright");
    godot.classdb_unregister_extension_class(godot.library, &name);
    forget_name(&name);
}

__attribute__((visibility("default"))) GDExtensionBool
mapwright_godot(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr library,
                GDExtensionInitialization *to);
GDExtensionBool mapwright_godot(GDExtensionInterfaceGetProcAddress get,
                                GDExtensionClassLibraryPtr library, GDExtensionInitialization *to)
{
    godot.library = library;
    *to = (GDExtensionInitialization){.minimum_initialization_level =
                                          GDEXTENSION_INITIALIZATION_SCENE,
                                      .initialize = initialize,
                                      .deinitialize = deinitialize};
    return ask_interface(get);
}
