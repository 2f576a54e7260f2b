// MapwrightActor.h: a map from Mapwright as blocks, for Unreal Engine 5.
//
// Add "HTTP", "Json" and "JsonUtilities" to PublicDependencyModuleNames of your module's Build.cs, put this file in its
// source, compile; put the actor in a level, give Blocks a mesh (Engine's Cube), start the service, press play.
#pragma once

#include "CoreMinimal.h"
#include "Components/InstancedStaticMeshComponent.h"
#include "Dom/JsonObject.h"
#include "GameFramework/Actor.h"
#include "HttpModule.h"
#include "Interfaces/IHttpRequest.h"
#include "Interfaces/IHttpResponse.h"
#include "Serialization/JsonReader.h"
#include "Serialization/JsonSerializer.h"
#include "TimerManager.h"
#include "MapwrightActor.generated.h"

UCLASS()
class AMapwrightActor : public AActor
{
    GENERATED_BODY()

public:
    UPROPERTY(EditAnywhere) FString Service = TEXT("http://localhost:8080");
    UPROPERTY(EditAnywhere) FString Generator = TEXT("islands");
    UPROPERTY(EditAnywhere) FString Parameters = TEXT("{\"width\": 32, \"height\": 24, \"layers\": 4, \"seed\": 7}");
    UPROPERTY(EditAnywhere) int32 Tries = 5;
    UPROPERTY(EditAnywhere) float Side = 100; // of a cell, in centimetres
    UPROPERTY(VisibleAnywhere) UInstancedStaticMeshComponent* Blocks;

    AMapwrightActor() { RootComponent = Blocks = CreateDefaultSubobject<UInstancedStaticMeshComponent>(TEXT("Blocks")); }

protected:
    virtual void BeginPlay() override
    {
        Super::BeginPlay();
        Ask();
    }

private:
    void Ask()
    {
        FHttpRequestRef Request = FHttpModule::Get().CreateRequest();
        Request->SetURL(Service + TEXT("/") + Generator);
        Request->SetVerb(TEXT("POST"));
        Request->SetHeader(TEXT("Content-Type"), TEXT("application/json"));
        Request->SetContentAsString(Parameters);
        Request->OnProcessRequestComplete().BindUObject(this, &AMapwrightActor::Take);
        Request->ProcessRequest();
    }

    // A busy service, or a proxy before it, says when to try again.
    void Take(FHttpRequestPtr, FHttpResponsePtr Response, bool bConnected)
    {
        const int32 Status = bConnected && Response.IsValid() ? Response->GetResponseCode() : 0;
        if ((Status == 429 || (Status >= 502 && Status <= 504)) && --Tries > 0)
        {
            const float Wait = FMath::Max(1.f, FCString::Atof(*Response->GetHeader(TEXT("Retry-After"))));
            FTimerHandle Timer;
            GetWorldTimerManager().SetTimer(Timer, this, &AMapwrightActor::Ask, Wait, false);
            return;
        }
        TSharedPtr<FJsonObject> Said;
        if (Status)
            FJsonSerializer::Deserialize(TJsonReaderFactory<>::Create(Response->GetContentAsString()), Said);
        if (Status == 200 && Said.IsValid())
            Show(*Said->GetObjectField(TEXT("result")));
        else
            UE_LOG(LogTemp, Error, TEXT("Mapwright: %s"), *Explain(Status, Said));
    }

    // "A parameter is wrong", then "/width: must be an integer from 1 to 4096", a line each.
    static FString Explain(int32 Status, const TSharedPtr<FJsonObject>& Said)
    {
        if (!Said.IsValid())
            return Status ? FString::Printf(TEXT("%d says something that is not JSON"), Status) : TEXT("no answer");
        FString Text = Said->GetStringField(TEXT("title"));
        const TArray<TSharedPtr<FJsonValue>>* Errors = nullptr;
        if (!Said->TryGetArrayField(TEXT("errors"), Errors))
            return Text + TEXT("\n") + Said->GetStringField(TEXT("detail"));
        for (const TSharedPtr<FJsonValue>& Error : *Errors)
            Text += TEXT("\n") + Error->AsObject()->GetStringField(TEXT("pointer")) + TEXT(": ") +
                    Error->AsObject()->GetStringField(TEXT("detail"));
        return Text;
    }

    void Show(const FJsonObject& Result)
    {
        if (Result.HasField(TEXT("stars")))
            ShowStars(Result);
        else if (Result.HasField(TEXT("cells")))
            ShowCells(Result);
        else
            ShowPaths(Result);
    }

    // A block for each cell that is land or bridge, as high as it is; odd rows of hexagons are shoved.
    void ShowCells(const FJsonObject& Result)
    {
        FString Grid;
        const bool bHexagons = Result.TryGetStringField(TEXT("grid"), Grid) && Grid == TEXT("hex");
        const TArray<TSharedPtr<FJsonValue>>* Heights = nullptr;
        Result.TryGetArrayField(TEXT("heights"), Heights);
        const TArray<TSharedPtr<FJsonValue>>& Rows = Result.GetArrayField(TEXT("cells"));
        for (int32 Y = 0; Y < Rows.Num(); Y++)
            for (int32 X = 0; X < Rows[Y]->AsArray().Num(); X++)
                if (Rows[Y]->AsArray()[X]->AsNumber() != 0)
                {
                    const double High = Heights ? FMath::Max(.3, (*Heights)[Y]->AsArray()[X]->AsNumber()) : 1;
                    Put(FVector(X + (bHexagons && Y % 2 ? .5 : 0), Y, High / 2), FVector(1, 1, High));
                }
    }

    // A block for each star, larger for homeworlds, and lanes between them. The longer side of the map is 32 cells.
    void ShowStars(const FJsonObject& Result)
    {
        const double Scale = 32 / FMath::Max(Result.GetNumberField(TEXT("width")), Result.GetNumberField(TEXT("height")));
        TArray<FVector> Places;
        for (const TSharedPtr<FJsonValue>& Star : Result.GetArrayField(TEXT("stars")))
        {
            const FJsonObject& It = *Star->AsObject();
            const double Wide = It.GetBoolField(TEXT("homeworld")) ? .8 : .4;
            Places.Add(FVector(It.GetNumberField(TEXT("x")), It.GetNumberField(TEXT("y")), 0) * Scale);
            Put(Places.Last(), FVector(Wide, Wide, Wide));
        }
        for (const TSharedPtr<FJsonValue>& Lane : Result.GetArrayField(TEXT("lanes")))
            Join(Places[int32(Lane->AsArray()[0]->AsNumber())], Places[int32(Lane->AsArray()[1]->AsNumber())], .1);
    }

    // A puzzle that is solved: its paths, with blocks at their ends.
    void ShowPaths(const FJsonObject& Result)
    {
        for (const TSharedPtr<FJsonValue>& Path : Result.GetArrayField(TEXT("paths")))
        {
            TArray<FVector> Places;
            for (const TSharedPtr<FJsonValue>& Cell : Path->AsObject()->GetArrayField(TEXT("cells")))
                Places.Add(FVector(Cell->AsArray()[0]->AsNumber(), Cell->AsArray()[1]->AsNumber(), 0));
            for (int32 I = 1; I < Places.Num(); I++)
                Join(Places[I - 1], Places[I], .3);
            Put(Places[0], FVector(.8, .8, .8));
            Put(Places.Last(), FVector(.8, .8, .8));
        }
    }

    void Put(const FVector& At, const FVector& Size)
    {
        Blocks->AddInstance(FTransform(FRotator::ZeroRotator, At * Side, Size * Side / 100));
    }

    void Join(const FVector& From, const FVector& To, double Wide)
    {
        const FVector Way = To - From, Size(Way.Size() + Wide, Wide, Wide);
        Blocks->AddInstance(FTransform(Way.Rotation(), (From + To) / 2 * Side, Size * Side / 100));
    }
};
